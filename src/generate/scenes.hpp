// The families that are scenes of bodies: one function each. The size that a request asks for is met as well
// as whole bodies allow.
#pragma once

#include "generate/scene.hpp"
#include "stickslip/generate.hpp"

namespace stickslip::internal {

/// What a request says of any scene: friction, dimension, horizontal load.
Scene begin_scene(const GenerateRequest& request, std::string title, std::string description,
                  double default_mu);
/// The number of contacts on a common face, for requests with `points`.
int points_on_face(const GenerateRequest& request);

// Masonry: blocks on the ground, faces on faces.
Scene stack(const GenerateRequest& request);    ///< boxes of many sizes in one column
Scene tower(const GenerateRequest& request);    ///< crossed planks, level upon level
Scene wall(const GenerateRequest& request);     ///< running bond, bed and head joints
Scene pyramid(const GenerateRequest& request);  ///< each block on four (in the plane: two) others
Scene blocks(const GenerateRequest& request);   ///< a wall with density·2 contact points under each block
// Vaults: voussoirs with inclined joints.
Scene arch(const GenerateRequest& request);      ///< a semicircular arch; many contacts: a vault of arches
Scene aqueduct(const GenerateRequest& request);  ///< arches on pillars between two abutments
Scene dome(const GenerateRequest& request);      ///< rings of blocks, an open eye
// Packings in a container.
Scene boxes(const GenerateRequest& request);          ///< courses of boxes cut at random
Scene spheres(const GenerateRequest& request);        ///< balls of many sizes, dropped one by one
Scene spheres_cubic(const GenerateRequest& request);  ///< equal balls, each touching six others
Scene spheres_hcp(const GenerateRequest& request);    ///< equal balls in the densest lattice
// Machines, with bilateral joints.
Scene rover(const GenerateRequest& request);    ///< four or six driven wheels on uneven ground
Scene gripper(const GenerateRequest& request);  ///< fingers that press on an object

/// Bodies that moving walls squeeze: no solution exists. `certificate`, where not null, is given a d with
/// d_N ≥ 0, d_T = 0, H d = 0 and w·d < 0, so that Wᵀd = 0 and q·d < 0.
Scene infeasible(const GenerateRequest& request, std::vector<double>* certificate = nullptr);

/// Elastic cubes of H8 elements in a running bond: A = M + (h²/4) K couples the nodes of a cube.
ProblemFile elastic_cubes(const GenerateRequest& request);
std::string draw_elastic_cubes(const GenerateRequest& request);
/// One contact of one body that is hard on a one-contact solver.
ProblemFile local_problem(const GenerateRequest& request);
/// `stack` with a closed-form equilibrium: the solution without load, a guess with one.
ProblemFile stack_file(const GenerateRequest& request);

}  // namespace stickslip::internal
