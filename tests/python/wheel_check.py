"""pip install . in a virtual environment with the network cut; then the clone is out of reach, and everything works. A sdist builds the same."""

import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

TOP = Path(__file__).resolve().parents[2]

CHECK = """
import os, subprocess, sys
import stickslip as ss, numpy as np
assert sys.prefix in ss.__file__, ss.__file__
assert ss.solve(np.eye(3), [-1, 0.2, 0], [0.5]).converged
assert ss.Simulation("incline").step()
p = ss.generate("wall", size=50); ss.write("w.hdf5", p)
assert subprocess.run([sys.executable, "-m", "stickslip", "solve", "w.hdf5"]).returncode == 0
assert subprocess.run([os.path.join(sys.prefix, "bin", "stickslip"), "--version"]).returncode == 0
print("works", ss.__version__)
"""


def without_network():
    """`unshare -n` needs rights; where they are missing pip is told not to look."""
    command = ["unshare", "-n"]
    if shutil.which("unshare") and subprocess.run([*command, "true"], capture_output=True).returncode == 0:
        return command
    return ["env", "PIP_NO_INDEX=1"]


def run(command, **options):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, **options)
    assert done.returncode == 0, f"{command}\n{done.stdout[-4000:]}\n{done.stderr[-4000:]}"
    return done.stdout


@pytest.fixture(scope="module")
def environment(tmp_path_factory):
    folder = tmp_path_factory.mktemp("venv")
    run([sys.executable, "-m", "venv", "--system-site-packages", folder / "env"])
    return folder / "env"


def test_pip_install_without_network(environment, tmp_path):
    settings = {key: value for key, value in os.environ.items() if key not in ("PYTHONPATH",)}
    # As the preset release compiles, so that ccache knows the objects.
    alike = ["--config-settings", "native=on", "--config-settings", "cmake=-DSTICKSLIP_WERROR=ON"]
    run([*without_network(), environment / "bin" / "pip", "install", *alike, TOP], cwd=tmp_path, env=settings)
    assert "works" in run([environment / "bin" / "python", "-c", CHECK], cwd=tmp_path, env=settings)
    # Nothing in the installed package points into the clone.
    files = list((environment / "lib").glob("python*/site-packages/stickslip/**/*"))
    assert files and not any(path.is_symlink() for path in files)
    built = str(TOP / "build").encode()
    assert not any(built in path.read_bytes() for path in files if path.suffix == ".so")


def test_wheel_and_sdist(tmp_path):
    sys.path.insert(0, str(TOP / "python" / "build_backend"))
    import stickslip_build

    name = stickslip_build.build_sdist(tmp_path)
    with tarfile.open(tmp_path / name) as tar:
        names = tar.getnames()
    base = name[: -len(".tar.gz")]
    for wanted in ("PKG-INFO", "pyproject.toml", "CMakeLists.txt", "python/stickslip/__init__.py", "python/build_backend/stickslip_build.py", "src/CMakeLists.txt"):
        assert f"{base}/{wanted}" in names, wanted
    wheel = stickslip_build.build_wheel(tmp_path, {"native": "on", "cmake": "-DSTICKSLIP_WERROR=ON"})
    with zipfile.ZipFile(tmp_path / wheel) as archive:
        files = archive.namelist()
        record = archive.read(f"stickslip-{stickslip_build.version()}.dist-info/RECORD").decode().splitlines()
        assert archive.getinfo("stickslip/bin/stickslip").external_attr >> 16 & 0o111
    assert {line.split(",")[0] for line in record} == set(files)
    for wanted in ("stickslip/__init__.py", "stickslip/_stickslip.pyi", "stickslip/py.typed", "stickslip/bin/stickslip"):
        assert wanted in files, wanted
