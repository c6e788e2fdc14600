! From Fortran: one contact that takes off, sticks and slips.
!
!   build/release/examples/from_fortran
!
! W = I, mu = 0.5. What comes down with u_N = -1 needs r_N = 1, and the tangential impulse that would hold it is -q_T:
! within mu r_N it sticks, beyond it slips with r_T = -mu r_N q_T/|q_T|. What goes up takes off: r = 0.
program from_fortran
  use stickslip
  implicit none

  integer(c_int32_t), parameter :: row_start(2) = [0, 1], column(1) = [0]
  real(c_double), parameter :: mu(1) = [0.5d0]
  character(len=8), parameter :: names(0:2) = [character(len=8) :: 'open', 'stick', 'slip']
  real(c_double) :: blocks(3, 3, 1), q(3, 3), expected(3, 3), r(3), u(3)
  integer(c_int8_t), pointer :: contacts(:)
  integer(c_int64_t) :: count
  type(c_ptr) :: problem, solver
  type(stickslip_options) :: options
  type(stickslip_info) :: info
  integer :: i, status
  logical :: good

  blocks = 0
  do i = 1, 3
    blocks(i, i, 1) = 1
  end do
  q(:, 1) = [1d0, 0.8d0, 0d0]
  expected(:, 1) = 0
  q(:, 2) = [-1d0, 0.3d0, -0.2d0]
  expected(:, 2) = [1d0, -0.3d0, 0.2d0]
  q(:, 3) = [-1d0, 0.6d0, 0.8d0]
  expected(:, 3) = [1d0, -0.3d0, -0.4d0]

  problem = stickslip_problem_reduced_by_columns(3, 1, row_start, column, blocks, q(:, 1), mu)
  solver = stickslip_solver_new('auto'//c_null_char)
  if (.not. c_associated(problem) .or. .not. c_associated(solver)) then
    print '(a)', stickslip_text(stickslip_message())
    stop 2
  end if
  options = stickslip_default_options()
  options%tolerance = 1d-12

  good = .true.
  do i = 1, 3
    status = stickslip_problem_set_q(problem, q(:, i))
    status = stickslip_solver_solve(solver, problem, options, r, u, info)
    call c_f_pointer(stickslip_solver_contacts(solver, count), contacts, [count])
    print '(a, a8, "  r =", 3f8.3, "   u =", 3f8.3, "   error", es9.1)', stickslip_text(stickslip_status_name(status))//': ', &
      names(int(contacts(1))), r, u, info%error
    good = good .and. status == stickslip_converged .and. all(abs(r - expected(:, i)) < 1d-11)
  end do

  ! What is wrong is said in words.
  status = stickslip_problem_set_mu(problem, [-1d0])
  print '(a)', stickslip_text(stickslip_message())
  good = good .and. status == stickslip_input_error

  call stickslip_solver_free(solver)
  call stickslip_problem_free(problem)
  if (.not. good) then
    print '(a)', 'WRONG: not the closed form'
    stop 1
  end if
  print '(a)', 'agrees with the closed form'
end program from_fortran
