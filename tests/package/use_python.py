"""What a stranger would do with the module first; tests/package/try_in_chroot runs it."""

import os
import subprocess
import sys
import tempfile

import numpy as np
import stickslip as ss

assert ss.solve(np.eye(3), [-1, 0.2, 0], [0.5]).converged
assert ss.existence(ss.generate("arch")).answer == "exists"
sim = ss.Simulation("incline", angle=20)
assert sim.run(0.05) and len(sim.contacts) == 4
with tempfile.TemporaryDirectory() as folder:
    name = os.path.join(folder, "wall.hdf5")
    ss.write(name, ss.generate("wall", size=50))
    subprocess.run([sys.executable, "-m", "stickslip", "solve", name], check=True, capture_output=True)
print("stickslip", ss.__version__, "for Python", sys.version.split()[0])
