! The interface of stickslip/stickslip.h for Fortran 2003 and later: compile this file with your program, and link to
! stickslip_core (and stickslip_io for files). What each function does is said in stickslip.h.
!
! Indices that are handed over begin at 0. Texts end with c_null_char.
module stickslip
  use, intrinsic :: iso_c_binding
  implicit none

  enum, bind(c)
    enumerator :: stickslip_ok = 0
    enumerator :: stickslip_converged = 0, stickslip_converged_reduced, stickslip_stalled, stickslip_iteration_limit
    enumerator :: stickslip_time_limit, stickslip_infeasible, stickslip_not_applicable, stickslip_numerical_failure
    enumerator :: stickslip_cancelled
    enumerator :: stickslip_input_error = -1, stickslip_output_error = -2, stickslip_missing_component = -3
    enumerator :: stickslip_out_of_memory = -4, stickslip_internal_error = -5
  end enum

  type, bind(c) :: stickslip_matrix
    integer(c_int32_t) :: rows, columns
    type(c_ptr) :: row_start, column, value
  end type

  type, bind(c) :: stickslip_progress
    integer(c_int64_t) :: iteration
    real(c_double) :: seconds, error
  end type

  type, bind(c) :: stickslip_options
    integer(c_int64_t) :: size
    real(c_double) :: tolerance, time_limit
    integer(c_int64_t) :: max_iterations
    type(c_ptr) :: guess, guess_velocity
    type(c_funptr) :: callback
    type(c_ptr) :: user
    integer(c_int32_t) :: threads, reserved_number
    real(c_double) :: memory_limit
    integer(c_int64_t) :: reserved(22)
  end type

  type, bind(c) :: stickslip_info
    integer(c_int32_t) :: status, worst_contact
    integer(c_int64_t) :: iterations
    real(c_double) :: error, energy_error, impulse_violation, velocity_violation, complementarity
    real(c_double) :: seconds, setup_seconds, factorisation_seconds, iteration_seconds, measuring_seconds
    integer(c_int64_t) :: open, stick, slip
    character(kind=c_char) :: stage(64), message(256)
    integer(c_int64_t) :: reserved(9)
  end type

  interface
    function stickslip_version() bind(c)
      import c_ptr
      type(c_ptr) :: stickslip_version
    end function

    function stickslip_status_name(status) bind(c)
      import c_ptr, c_int
      integer(c_int), value :: status
      type(c_ptr) :: stickslip_status_name
    end function

    function stickslip_message() bind(c)
      import c_ptr
      type(c_ptr) :: stickslip_message
    end function

    function stickslip_problem_reduced(dimension, contacts, row_start, column, blocks, q, mu) bind(c)
      import c_ptr, c_int32_t, c_double
      integer(c_int32_t), value :: dimension, contacts
      integer(c_int32_t), intent(in) :: row_start(*), column(*)
      real(c_double), intent(in) :: blocks(*), q(*), mu(*)
      type(c_ptr) :: stickslip_problem_reduced
    end function

    ! blocks(d, d, :) as Fortran has them
    function stickslip_problem_reduced_by_columns(dimension, contacts, row_start, column, blocks, q, mu) bind(c)
      import c_ptr, c_int32_t, c_double
      integer(c_int32_t), value :: dimension, contacts
      integer(c_int32_t), intent(in) :: row_start(*), column(*)
      real(c_double), intent(in) :: blocks(*), q(*), mu(*)
      type(c_ptr) :: stickslip_problem_reduced_by_columns
    end function

    function stickslip_problem_reduced_sparse(dimension, contacts, W, q, mu) bind(c)
      import c_ptr, c_int32_t, c_double, stickslip_matrix
      integer(c_int32_t), value :: dimension, contacts
      type(stickslip_matrix), intent(in) :: W
      real(c_double), intent(in) :: q(*), mu(*)
      type(c_ptr) :: stickslip_problem_reduced_sparse
    end function

    ! W row by row: hand over transpose(W) where it is not symmetric
    function stickslip_problem_reduced_dense(dimension, contacts, W, q, mu) bind(c)
      import c_ptr, c_int32_t, c_double
      integer(c_int32_t), value :: dimension, contacts
      real(c_double), intent(in) :: W(*), q(*), mu(*)
      type(c_ptr) :: stickslip_problem_reduced_dense
    end function

    function stickslip_problem_global(dimension, contacts, M, H, f, w, mu) bind(c)
      import c_ptr, c_int32_t, c_double, stickslip_matrix
      integer(c_int32_t), value :: dimension, contacts
      type(stickslip_matrix), intent(in) :: M, H
      real(c_double), intent(in) :: f(*), w(*), mu(*)
      type(c_ptr) :: stickslip_problem_global
    end function

    function stickslip_problem_global_with_constraints(dimension, contacts, M, H, f, w, mu, G, b) bind(c)
      import c_ptr, c_int32_t, c_double, stickslip_matrix
      integer(c_int32_t), value :: dimension, contacts
      type(stickslip_matrix), intent(in) :: M, H, G
      real(c_double), intent(in) :: f(*), w(*), mu(*), b(*)
      type(c_ptr) :: stickslip_problem_global_with_constraints
    end function

    function stickslip_problem_generate(family, contacts, seed) bind(c)
      import c_ptr, c_char, c_int32_t, c_int64_t
      character(kind=c_char), intent(in) :: family(*)
      integer(c_int32_t), value :: contacts
      integer(c_int64_t), value :: seed
      type(c_ptr) :: stickslip_problem_generate
    end function

    subroutine stickslip_problem_free(problem) bind(c)
      import c_ptr
      type(c_ptr), value :: problem
    end subroutine

    function stickslip_problem_dimension(problem) bind(c)
      import c_ptr, c_int32_t
      type(c_ptr), value :: problem
      integer(c_int32_t) :: stickslip_problem_dimension
    end function

    function stickslip_problem_contacts(problem) bind(c)
      import c_ptr, c_int32_t
      type(c_ptr), value :: problem
      integer(c_int32_t) :: stickslip_problem_contacts
    end function

    function stickslip_problem_is_global(problem) bind(c)
      import c_ptr, c_int
      type(c_ptr), value :: problem
      integer(c_int) :: stickslip_problem_is_global
    end function

    function stickslip_problem_degrees_of_freedom(problem) bind(c)
      import c_ptr, c_int32_t
      type(c_ptr), value :: problem
      integer(c_int32_t) :: stickslip_problem_degrees_of_freedom
    end function

    function stickslip_problem_set_q(problem, q) bind(c)
      import c_ptr, c_int, c_double
      type(c_ptr), value :: problem
      real(c_double), intent(in) :: q(*)
      integer(c_int) :: stickslip_problem_set_q
    end function

    function stickslip_problem_set_mu(problem, mu) bind(c)
      import c_ptr, c_int, c_double
      type(c_ptr), value :: problem
      real(c_double), intent(in) :: mu(*)
      integer(c_int) :: stickslip_problem_set_mu
    end function

    function stickslip_problem_set_f(problem, f) bind(c)
      import c_ptr, c_int, c_double
      type(c_ptr), value :: problem
      real(c_double), intent(in) :: f(*)
      integer(c_int) :: stickslip_problem_set_f
    end function

    function stickslip_problem_set_w(problem, w) bind(c)
      import c_ptr, c_int, c_double
      type(c_ptr), value :: problem
      real(c_double), intent(in) :: w(*)
      integer(c_int) :: stickslip_problem_set_w
    end function

    function stickslip_problem_set_b(problem, b) bind(c)
      import c_ptr, c_int, c_double
      type(c_ptr), value :: problem
      real(c_double), intent(in) :: b(*)
      integer(c_int) :: stickslip_problem_set_b
    end function

    function stickslip_problem_set_M_values(problem, value) bind(c, name="stickslip_problem_set_M_values")
      import c_ptr, c_int, c_double
      type(c_ptr), value :: problem
      real(c_double), intent(in) :: value(*)
      integer(c_int) :: stickslip_problem_set_M_values
    end function

    function stickslip_problem_set_H_values(problem, value) bind(c, name="stickslip_problem_set_H_values")
      import c_ptr, c_int, c_double
      type(c_ptr), value :: problem
      real(c_double), intent(in) :: value(*)
      integer(c_int) :: stickslip_problem_set_H_values
    end function

    function stickslip_default_options() bind(c)
      import stickslip_options
      type(stickslip_options) :: stickslip_default_options
    end function

    function stickslip_solve(problem, solver, options, r, u, info) bind(c)
      import c_ptr, c_char, c_int, c_double, stickslip_options, stickslip_info
      type(c_ptr), value :: problem
      character(kind=c_char), intent(in) :: solver(*)
      type(stickslip_options), intent(in) :: options
      real(c_double), intent(out) :: r(*), u(*)
      type(stickslip_info), intent(out) :: info
      integer(c_int) :: stickslip_solve
    end function

    function stickslip_solver_new(name) bind(c)
      import c_ptr, c_char
      character(kind=c_char), intent(in) :: name(*)
      type(c_ptr) :: stickslip_solver_new
    end function

    subroutine stickslip_solver_free(solver) bind(c)
      import c_ptr
      type(c_ptr), value :: solver
    end subroutine

    function stickslip_solver_solve(solver, problem, options, r, u, info) bind(c)
      import c_ptr, c_int, c_double, stickslip_options, stickslip_info
      type(c_ptr), value :: solver, problem
      type(stickslip_options), intent(in) :: options
      real(c_double), intent(out) :: r(*), u(*)
      type(stickslip_info), intent(out) :: info
      integer(c_int) :: stickslip_solver_solve
    end function

    subroutine stickslip_solver_cancel(solver) bind(c)
      import c_ptr
      type(c_ptr), value :: solver
    end subroutine

    ! Each gives a pointer for c_f_pointer and how many numbers it has.
    function stickslip_solver_v(solver, count) bind(c)
      import c_ptr, c_int64_t
      type(c_ptr), value :: solver
      integer(c_int64_t), intent(out) :: count
      type(c_ptr) :: stickslip_solver_v
    end function

    function stickslip_solver_lambda(solver, count) bind(c)
      import c_ptr, c_int64_t
      type(c_ptr), value :: solver
      integer(c_int64_t), intent(out) :: count
      type(c_ptr) :: stickslip_solver_lambda
    end function

    function stickslip_solver_certificate(solver, count) bind(c)
      import c_ptr, c_int64_t
      type(c_ptr), value :: solver
      integer(c_int64_t), intent(out) :: count
      type(c_ptr) :: stickslip_solver_certificate
    end function

    ! int8: 0 open, 1 stick, 2 slip
    function stickslip_solver_contacts(solver, count) bind(c)
      import c_ptr, c_int64_t
      type(c_ptr), value :: solver
      integer(c_int64_t), intent(out) :: count
      type(c_ptr) :: stickslip_solver_contacts
    end function

    function stickslip_solver_report(solver) bind(c)
      import c_ptr
      type(c_ptr), value :: solver
      type(c_ptr) :: stickslip_solver_report
    end function

    function stickslip_problem_reduce(problem) bind(c)
      import c_ptr
      type(c_ptr), value :: problem
      type(c_ptr) :: stickslip_problem_reduce
    end function

    function stickslip_measure(problem, r, u, info) bind(c)
      import c_ptr, c_int, c_double, stickslip_info
      type(c_ptr), value :: problem
      real(c_double), intent(in) :: r(*)
      real(c_double), intent(out) :: u(*)
      type(stickslip_info), intent(out) :: info
      integer(c_int) :: stickslip_measure
    end function

    ! answer: 1 yes, 0 no, -1 neither could be shown
    function stickslip_existence(problem, answer, margin, proof) bind(c)
      import c_ptr, c_int, c_int32_t, c_double
      type(c_ptr), value :: problem
      integer(c_int32_t), intent(out) :: answer
      real(c_double), intent(out) :: margin
      real(c_double), intent(inout) :: proof(*)
      integer(c_int) :: stickslip_existence
    end function

    function stickslip_problem_read(path) bind(c)
      import c_ptr, c_char
      character(kind=c_char), intent(in) :: path(*)
      type(c_ptr) :: stickslip_problem_read
    end function

    function stickslip_problem_write(problem, path, r, u) bind(c)
      import c_ptr, c_char, c_int, c_double
      type(c_ptr), value :: problem
      character(kind=c_char), intent(in) :: path(*)
      real(c_double), intent(in) :: r(*), u(*)
      integer(c_int) :: stickslip_problem_write
    end function
  end interface

contains

  ! A text of the library, stickslip_message() for example, as Fortran has it.
  function stickslip_text(text)
    type(c_ptr), intent(in) :: text
    character(len=:), allocatable :: stickslip_text
    character(kind=c_char), pointer :: letters(:)
    integer :: i, length
    interface
      function strlen(text) bind(c)
        import c_ptr, c_size_t
        type(c_ptr), value :: text
        integer(c_size_t) :: strlen
      end function
    end interface
    length = int(strlen(text))
    call c_f_pointer(text, letters, [length])
    allocate (character(len=length) :: stickslip_text)
    do i = 1, length
      stickslip_text(i:i) = letters(i)
    end do
  end function

end module stickslip
