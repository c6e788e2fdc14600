// Everything that is public, of the parts that are installed.
#pragma once

#include "stickslip/block_matrix.hpp"
#include "stickslip/catalog.hpp"
#include "stickslip/description.hpp"
#include "stickslip/errors.hpp"
#include "stickslip/existence.hpp"
#include "stickslip/generate.hpp"
#include "stickslip/measures.hpp"
#include "stickslip/memory.hpp"
#include "stickslip/methods.hpp"
#include "stickslip/nearest.hpp"
#include "stickslip/problem.hpp"
#include "stickslip/problem_file.hpp"
#include "stickslip/solver.hpp"
#include "stickslip/sparse_matrix.hpp"
#include "stickslip/statistics.hpp"
#include "stickslip/version.hpp"
#if __has_include("stickslip/io.hpp")
#include "stickslip/io.hpp"
#endif
#if __has_include("stickslip/simulation.hpp")
#include "stickslip/record.hpp"
#include "stickslip/scene.hpp"
#include "stickslip/shapes.hpp"
#include "stickslip/simulation.hpp"
#endif
