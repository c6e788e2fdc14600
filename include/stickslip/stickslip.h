/* The C interface: problems from arrays, solve, files. For C, Fortran (stickslip/stickslip.f90) and whatever can call C.
 *
 *   M v = H r + f,  u = Hᵀ v + w,  K* ∋ u + (μ‖u_T‖, 0, 0) ⊥ r ∈ K      or      u = W r + q with W = Hᵀ M⁻¹ H
 *
 * Each contact has d = 2 or 3 numbers, the normal first. Indices begin at 0. Arrays are copied when a problem is made; none is
 * kept. A function that fails says why in stickslip_message(). No exception leaves the library, nothing is printed.
 *
 * Handles of one kind may be used from several threads at once as long as nobody changes them; a solver belongs to one thread.
 *
 * Stable: functions, fields and values stay; new fields take room from `reserved`, so that no size changes. */
#ifndef STICKSLIP_STICKSLIP_H
#define STICKSLIP_STICKSLIP_H

#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define STICKSLIP_C_EXPORT __attribute__((visibility("default")))
#else
#define STICKSLIP_C_EXPORT
#endif

#ifdef __cplusplus
extern "C" {
#endif

/** "0.1.0" */
STICKSLIP_C_EXPORT const char* stickslip_version(void);

/** What came out. 0 and above: a solve ran, and r and u are the best that was seen. Below 0: nothing was done. */
typedef enum stickslip_status {
  STICKSLIP_OK = 0,                /**< of functions that do not solve: done */
  STICKSLIP_CONVERGED = 0,         /**< the error is at or below the tolerance */
  STICKSLIP_CONVERGED_REDUCED = 1, /**< a weaker goal of the solver's own was met */
  STICKSLIP_STALLED = 2,           /**< no further progress */
  STICKSLIP_ITERATION_LIMIT = 3,
  STICKSLIP_TIME_LIMIT = 4,
  STICKSLIP_INFEASIBLE = 5,     /**< no solution exists; stickslip_solver_certificate() proves it */
  STICKSLIP_NOT_APPLICABLE = 6, /**< the solver does not fit the problem */
  STICKSLIP_NUMERICAL_FAILURE = 7,
  STICKSLIP_CANCELLED = 8,
  STICKSLIP_INPUT_ERROR = -1,       /**< sizes, NaN, μ < 0, an unknown name, a malformed file, NULL */
  STICKSLIP_OUTPUT_ERROR = -2,      /**< a file could not be written; nothing is left behind */
  STICKSLIP_MISSING_COMPONENT = -3, /**< the message names the package that provides it */
  STICKSLIP_OUT_OF_MEMORY = -4,
  STICKSLIP_INTERNAL_ERROR = -5 /**< a fault of the library */
} stickslip_status;

/** "converged", "time_limit", "input_error", …; "unknown" for other numbers. */
STICKSLIP_C_EXPORT const char* stickslip_status_name(stickslip_status status);

/** What the last function that was called in this thread has to say: one line, or "". Valid until the next call. */
STICKSLIP_C_EXPORT const char* stickslip_message(void);

/* ---- problems ------------------------------------------------------------------------------------------------------ */

/** A problem of either form. */
typedef struct stickslip_problem stickslip_problem;

/** A matrix in compressed rows: row i has the columns column[k] and the numbers value[k], row_start[i] ≤ k < row_start[i+1]. */
typedef struct stickslip_matrix {
  int32_t rows, columns;
  const int32_t* row_start; /**< rows + 1 numbers, the first 0 */
  const int32_t* column;    /**< in any order; duplicates add up */
  const double* value;
} stickslip_matrix;

/** The reduced form, W in compressed block rows: block row i has the block columns column[k] and the d×d numbers from
 * blocks[k d²] on, row by row. q: d n numbers; mu: n. NULL on bad input: stickslip_message() says why. */
STICKSLIP_C_EXPORT stickslip_problem* stickslip_problem_reduced(int32_t dimension, int32_t contacts,
                                                                const int32_t* row_start,
                                                                const int32_t* column, const double* blocks,
                                                                const double* q, const double* mu);
/** The same with each block column by column, as Fortran has blocks(3, 3, :). */
STICKSLIP_C_EXPORT stickslip_problem* stickslip_problem_reduced_by_columns(
    int32_t dimension, int32_t contacts, const int32_t* row_start, const int32_t* column,
    const double* blocks, const double* q, const double* mu);
/** The same from the scalar entries of W. */
STICKSLIP_C_EXPORT stickslip_problem* stickslip_problem_reduced_sparse(int32_t dimension, int32_t contacts,
                                                                       const stickslip_matrix* W,
                                                                       const double* q, const double* mu);
/** The same from all (d n)² numbers of W, row by row. */
STICKSLIP_C_EXPORT stickslip_problem* stickslip_problem_reduced_dense(int32_t dimension, int32_t contacts,
                                                                      const double* W, const double* q,
                                                                      const double* mu);

/** The global form: M is m×m and positive definite, H m×(d n); f: m numbers, w: d n (NULL: zero), mu: n. */
STICKSLIP_C_EXPORT stickslip_problem* stickslip_problem_global(int32_t dimension, int32_t contacts,
                                                               const stickslip_matrix* M,
                                                               const stickslip_matrix* H, const double* f,
                                                               const double* w, const double* mu);
/** With bilateral constraints, M v = H r + G λ + f and Gᵀ v + b = 0; G is m×k, b has k numbers. */
STICKSLIP_C_EXPORT stickslip_problem* stickslip_problem_global_with_constraints(
    int32_t dimension, int32_t contacts, const stickslip_matrix* M, const stickslip_matrix* H,
    const double* f, const double* w, const double* mu, const stickslip_matrix* G, const double* b);

/** A built-in family (`stickslip generate --help`) of about so many contacts, 0: as many as the family has. */
STICKSLIP_C_EXPORT stickslip_problem* stickslip_problem_generate(const char* family, int32_t contacts,
                                                                 uint64_t seed);

/** NULL is allowed. */
STICKSLIP_C_EXPORT void stickslip_problem_free(stickslip_problem* problem);

STICKSLIP_C_EXPORT int32_t stickslip_problem_dimension(const stickslip_problem* problem);
STICKSLIP_C_EXPORT int32_t stickslip_problem_contacts(const stickslip_problem* problem);
/** 1: M, H, f, w; 0: W, q. */
STICKSLIP_C_EXPORT int stickslip_problem_is_global(const stickslip_problem* problem);
/** Rows of M; of a reduced problem -1 where it is not known. */
STICKSLIP_C_EXPORT int32_t stickslip_problem_degrees_of_freedom(const stickslip_problem* problem);

/* Time loops: other numbers on the same contacts. They take no memory; on bad input the problem stays as it was. */
STICKSLIP_C_EXPORT stickslip_status stickslip_problem_set_q(stickslip_problem* problem, const double* q);
STICKSLIP_C_EXPORT stickslip_status stickslip_problem_set_mu(stickslip_problem* problem, const double* mu);
STICKSLIP_C_EXPORT stickslip_status stickslip_problem_set_f(stickslip_problem* problem, const double* f);
STICKSLIP_C_EXPORT stickslip_status stickslip_problem_set_w(stickslip_problem* problem, const double* w);
STICKSLIP_C_EXPORT stickslip_status stickslip_problem_set_b(stickslip_problem* problem, const double* b);
/** In the order of the pattern given, where its columns rose within each row. */
STICKSLIP_C_EXPORT stickslip_status stickslip_problem_set_M_values(stickslip_problem* problem,
                                                                   const double* value);
STICKSLIP_C_EXPORT stickslip_status stickslip_problem_set_H_values(stickslip_problem* problem,
                                                                   const double* value);

/* ---- solve --------------------------------------------------------------------------------------------------------- */

/** How far a solve has come. */
typedef struct stickslip_progress {
  int64_t iteration;
  double seconds;
  double error;
} stickslip_progress;

/** Called whenever the true error was measured; anything but 0 stops the solve. Must return: no longjmp, no exception. */
typedef int (*stickslip_callback)(const stickslip_progress* progress, void* user);

/** Made by stickslip_default_options() and nothing else. */
typedef struct stickslip_options {
  uint64_t size;          /**< of this struct: what was not made by stickslip_default_options() is refused */
  double tolerance;       /**< on the natural-map error; > 0; 1e-8 */
  double time_limit;      /**< wall-clock seconds; > 0; infinite */
  int64_t max_iterations; /**< of the outermost loop; ≥ 0; the largest number */
  const double* guess;    /**< a first r, d n numbers; NULL: zero */
  const double* guess_velocity; /**< the u that the guess had in the last problem; NULL: W r + q */
  stickslip_callback callback;  /**< NULL: none */
  void* user;                   /**< handed to the callback */
  int32_t threads;              /**< ≥ 1; 1 */
  int32_t reserved_number;
  double memory_limit; /**< bytes; what would take more is left out; > 0; infinite */
  uint64_t reserved[22];
} stickslip_options;

STICKSLIP_C_EXPORT stickslip_options stickslip_default_options(void);

/** What is known after a solve. */
typedef struct stickslip_info {
  int32_t status;        /**< a stickslip_status */
  int32_t worst_contact; /**< unless converged: where the error is largest; else -1 */
  int64_t iterations;
  double error;              /**< ‖r − P_K(r − û)‖ / ‖q‖, on the problem as it was given */
  double energy_error;       /**< spurious energy */
  double impulse_violation;  /**< largest distance of an impulse from its cone, in units of r */
  double velocity_violation; /**< largest penetration velocity, in units of u */
  double complementarity;    /**< largest |r·û| of a contact */
  double seconds;            /**< wall-clock, of which: */
  double setup_seconds, factorisation_seconds, iteration_seconds, measuring_seconds;
  int64_t open, stick, slip; /**< contacts of each status */
  char stage[64];            /**< of `auto`: the stage that ended it */
  char message[256];         /**< "", or the reason in one line, shortened where it is longer */
  uint64_t reserved[9];
} stickslip_info;

/** Solves by the named solver: "auto" (or NULL), a label of the literature, or a composition, "gs(relaxation=0.9)".
 * options NULL: the defaults. r and u receive d n numbers each; r, u and info may be NULL. */
STICKSLIP_C_EXPORT stickslip_status stickslip_solve(const stickslip_problem* problem, const char* solver,
                                                    const stickslip_options* options, double* r, double* u,
                                                    stickslip_info* info);

/** A solver that is kept: repeated solves use its memory again. */
typedef struct stickslip_solver stickslip_solver;

/** NULL on an unknown name: stickslip_message() has the nearest one. */
STICKSLIP_C_EXPORT stickslip_solver* stickslip_solver_new(const char* name);
/** NULL is allowed. */
STICKSLIP_C_EXPORT void stickslip_solver_free(stickslip_solver* solver);
/** As stickslip_solve. */
STICKSLIP_C_EXPORT stickslip_status stickslip_solver_solve(stickslip_solver* solver,
                                                           const stickslip_problem* problem,
                                                           const stickslip_options* options, double* r,
                                                           double* u, stickslip_info* info);
/** Stops the solve that runs, or else the next one, with the best iterate. From any thread and from signal handlers. */
STICKSLIP_C_EXPORT void stickslip_solver_cancel(stickslip_solver* solver);

/* What the last solve left, valid until the next one or until the solver is freed; NULL where there is none. count (may be
 * NULL) receives how many numbers there are. */
/** Of global problems: velocities. */
STICKSLIP_C_EXPORT const double* stickslip_solver_v(const stickslip_solver* solver, int64_t* count);
/** Of global problems: multipliers of the bilateral constraints. */
STICKSLIP_C_EXPORT const double* stickslip_solver_lambda(const stickslip_solver* solver, int64_t* count);
/** With STICKSLIP_INFEASIBLE: d with d_N ≥ 0, d_T = 0, Wᵀd = 0 and q·d < 0. */
STICKSLIP_C_EXPORT const double* stickslip_solver_certificate(const stickslip_solver* solver, int64_t* count);
/** A number for each contact: 0 open, 1 stick, 2 slip. */
STICKSLIP_C_EXPORT const uint8_t* stickslip_solver_contacts(const stickslip_solver* solver, int64_t* count);
/** A few lines for people. */
STICKSLIP_C_EXPORT const char* stickslip_solver_report(const stickslip_solver* solver);

/* ---- judge --------------------------------------------------------------------------------------------------------- */

/** The reduced form of a problem, W = Hᵀ M⁻¹ H and q; of a reduced one a copy. NULL: stickslip_message() says why. */
STICKSLIP_C_EXPORT stickslip_problem* stickslip_problem_reduce(const stickslip_problem* problem);

/** How good any r is: error, energy_error, violations and complementarity of info; its other fields are 0. u receives W r + q.
 * u and info may be NULL. Of a problem in global form W is formed each time: reduce it first where there are many r. */
STICKSLIP_C_EXPORT stickslip_status stickslip_measure(const stickslip_problem* problem, const double* r,
                                                      double* u, stickslip_info* info);

/** Whether a solution exists. answer: 1 yes, by Slater's condition; 0 no; -1 neither could be shown. With 1 u = W r + q has
 * u_N − μ‖u_T‖ ≥ margin > 0 at every contact for the r in proof; with 0 proof is the d of stickslip_solver_certificate. Every pointer but
 * the problem may be NULL; proof has room for d n numbers. stickslip_message() says the same in words. */
STICKSLIP_C_EXPORT stickslip_status stickslip_existence(const stickslip_problem* problem, int32_t* answer,
                                                        double* margin, double* proof);

/* ---- files: in the library stickslip_io ------------------------------------------------------------------------------ */

/** FCLIB HDF5, Siconos text or a Matrix Market folder, told apart by content. NULL: stickslip_message() says why. */
STICKSLIP_C_EXPORT stickslip_problem* stickslip_problem_read(const char* path);
/** Writes FCLIB HDF5: the problem and, where r and u are not NULL, a solution. */
STICKSLIP_C_EXPORT stickslip_status stickslip_problem_write(const stickslip_problem* problem,
                                                            const char* path, const double* r,
                                                            const double* u);

#ifdef __cplusplus
}
#endif

#endif
