// stickslip export RUN.h5 OUT: a record in another format.

#include "command.hpp"
#include "stickslip/record.hpp"

namespace stickslip::app {

void add_export(CLI::App& app, Session& session) {
  struct Arguments {
    std::string record, target;
  };
  auto args = std::make_shared<Arguments>();
  auto* command = app.add_subcommand("export", "Write a record in another format");
  command->footer("Example: stickslip export run.h5 run.xdmf   (.vtkhdf, .xdmf, .pvd, .csv, .usda, .svg)");
  command->add_option("record", args->record, "the record of a simulation")->required();
  command->add_option("output", args->target, "the file to write; its ending says the format")->required();
  command->callback([args, &session] {
    session.work = [args] {
      export_record(args->record, args->target);
      return int(done);
    };
  });
}

}  // namespace stickslip::app
