// MuJoCo (libmujoco-dev) with elliptic cones and its other defaults: contacts are soft, and there is no Newton restitution. The floor's friction
// goes before that of bodies (priority).

#include <mujoco/mujoco.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <vector>

#include "engine.hpp"

namespace {

using namespace engines;

class Mujoco final : public Engine {
 public:
  ~Mujoco() override { clear(); }
  std::string name() const override { return std::string("MuJoCo ") + mj_versionString(); }
  bool bounces() const override { return false; }

  void begin(const World& world) override {
    clear();
    asked_ = world;
    text_.str("");
    text_.precision(17);
    starts_.clear();
    pushes_.clear();
  }
  void add_floor() override {
    text_ << "<geom type='plane' size='0 0 1' priority='1' friction='" << asked_.floor_friction
          << " 0 0'/>\n";
  }
  int add_box(const Vector& size, const Start& start) override {
    std::ostringstream geom;
    geom.precision(17);
    geom << "type='box' size='" << size[0] / 2 << ' ' << size[1] / 2 << ' ' << size[2] / 2 << '\'';
    return add(geom.str(), start);
  }
  int add_sphere(double radius, const Start& start) override {
    std::ostringstream geom;
    geom.precision(17);
    geom << "type='sphere' size='" << radius << '\'';
    return add(geom.str(), start);
  }
  void push(int body, const Vector& force, const Vector& point) override {
    pushes_.push_back({body, force, point});
  }
  void step() override {
    if (!model_) compile();
    for (const Push& p : pushes_) {
      // At a point of the body: force and its moment about the centre.
      const mjtNum* R = &data_->xmat[9 * (p.body + 1)];
      Vector arm{};
      for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 3; ++j) arm[i] += R[3 * i + j] * p.point[j];
      mjtNum* f = &data_->xfrc_applied[6 * (p.body + 1)];
      for (std::size_t i = 0; i < 3; ++i) {
        f[i] = p.force[i];
        f[3 + i] = arm[(i + 1) % 3] * p.force[(i + 2) % 3] - arm[(i + 2) % 3] * p.force[(i + 1) % 3];
      }
    }
    mj_step(model_, data_);
  }
  Vector position(int body) const override { return read(&data_->qpos[7 * body]); }
  Vector velocity(int body) const override { return read(&data_->qvel[6 * body]); }
  Vector angular_velocity(int body) const override {
    // Free joints have the angular velocity in body axes.
    const Vector w = read(&data_->qvel[6 * body + 3]);
    mjtNum R[9];
    mju_quat2Mat(R, &data_->qpos[7 * body + 3]);
    Vector turned{};
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 3; ++j) turned[i] += R[3 * i + j] * w[j];
    return turned;
  }

 private:
  struct Push {
    int body;
    Vector force, point;
  };
  static Vector read(const mjtNum* x) { return {x[0], x[1], x[2]}; }

  int add(const std::string& geom, const Start& start) {
    text_ << "<body pos='" << start.position[0] << ' ' << start.position[1] << ' ' << start.position[2]
          << "'><freejoint/><geom " << geom << " mass='" << start.mass << "' friction='"
          << asked_.body_friction << " 0 0'/></body>\n";
    starts_.push_back(start);
    return int(starts_.size()) - 1;
  }

  void compile() {
    const auto path = std::filesystem::temp_directory_path() / "stickslip_engine.xml";
    std::ofstream file(path);
    file.precision(17);
    file << "<mujoco><option cone='elliptic' timestep='" << asked_.step << "' gravity='" << asked_.gravity[0]
         << ' ' << asked_.gravity[1] << ' ' << asked_.gravity[2]
         << "'/><size nconmax='1000' njmax='4000'/><default><geom condim='3'/></default><worldbody>\n"
         << text_.str() << "</worldbody></mujoco>\n";
    file.close();
    char error[500] = "";
    model_ = mj_loadXML(path.c_str(), nullptr, error, sizeof error);
    if (!model_) {
      std::fprintf(stderr, "mujoco: %s\n", error);
      std::exit(1);
    }
    data_ = mj_makeData(model_);
    for (std::size_t b = 0; b < starts_.size(); ++b)
      for (std::size_t i = 0; i < 3; ++i) {
        data_->qvel[6 * b + i] = starts_[b].velocity[i];
        data_->qvel[6 * b + 3 + i] = starts_[b].angular_velocity[i];
      }
    mj_forward(model_, data_);
  }

  void clear() {
    if (data_) mj_deleteData(data_);
    if (model_) mj_deleteModel(model_);
    data_ = nullptr;
    model_ = nullptr;
  }

  World asked_;
  std::ostringstream text_;
  std::vector<Start> starts_;
  std::vector<Push> pushes_;
  mjModel* model_ = nullptr;
  mjData* data_ = nullptr;
};

}  // namespace

int main() {
  Mujoco engine;
  return engines::compare(engine);
}
