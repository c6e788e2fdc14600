"""The build backend of pip (PEP 517), without dependencies: CMake builds the extension and the command line, this file zips them.

    pip install .                                   in any environment, without network
    pip wheel . --no-deps                           a wheel for this kind of machine and this Python
    python -m build --sdist, or build_sdist(...)    the sources

Settings (pip install . --config-settings native=on --config-settings jobs=4): native compiles for this very machine; jobs is how many compilers run side by side;
cmake is a word handed to CMake. The version is that of the project in CMakeLists.txt.
"""

import base64
import gzip
import hashlib
import io
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
NAME = "stickslip"


def version():
    text = (ROOT / "CMakeLists.txt").read_text(encoding="utf-8")
    return re.search(r"project\(stickslip\s+VERSION\s+([0-9.]+)", text).group(1)


def metadata():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    return (
        "Metadata-Version: 2.1\n"
        f"Name: {NAME}\n"
        f"Version: {version()}\n"
        "Summary: Solvers for the discrete frictional contact problem, and contact dynamics\n"
        "License: Apache-2.0\n"
        "Requires-Python: >=3.8\n"
        "Requires-Dist: numpy\n"
        "Requires-Dist: scipy\n"
        "Provides-Extra: plots\n"
        "Requires-Dist: matplotlib; extra == 'plots'\n"
        "Classifier: Topic :: Scientific/Engineering :: Physics\n"
        "Description-Content-Type: text/markdown\n"
        "\n" + readme
    )


def tag():
    """One Python, one kind of machine: the libraries of the system are not in the wheel."""
    python = f"cp{sys.version_info.major}{sys.version_info.minor}"
    platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
    return f"{python}-{python}-{platform}"


def run(*command):
    print("+", *command, flush=True)
    if subprocess.run(command).returncode != 0:
        raise SystemExit(f"stickslip: this command failed: {' '.join(map(str, command))}")


def build(settings, stage):
    """Builds, and puts the package below `stage`."""
    settings = settings or {}
    for program in ("cmake", os.environ.get("CXX", "c++")):
        if shutil.which(program) is None:
            raise SystemExit(f"stickslip: {program} is not installed (Debian: cmake g++ ninja-build pybind11-dev libeigen3-dev libfmt-dev "
                             "libhdf5-dev libsqlite3-dev libtomlplusplus-dev libmuparser-dev nlohmann-json3-dev libcli11-dev zlib1g-dev)")
    folder = ROOT / "build" / f"wheel-{tag()}"
    words = [
        f"-DPython_EXECUTABLE={sys.executable}",
        "-DCMAKE_BUILD_TYPE=Release",
        "-DSTICKSLIP_PYTHON=ON",
        "-DSTICKSLIP_BUILD_TESTS=OFF",
        "-DSTICKSLIP_BUILD_BENCH=OFF",
        "-DSTICKSLIP_MPI=OFF",
        f"-DSTICKSLIP_NATIVE={settings.get('native', 'OFF')}",
        f"-DSTICKSLIP_PYTHON_DIR={NAME}-python",
    ]
    if shutil.which("ninja"):
        words.append("-GNinja")
    if shutil.which("ccache"):
        words.append("-DCMAKE_CXX_COMPILER_LAUNCHER=ccache")
    given = settings.get("cmake", [])
    words += [given] if isinstance(given, str) else given
    run("cmake", "-S", str(ROOT), "-B", str(folder), *words)
    jobs = settings.get("jobs", str(len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1))
    run("cmake", "--build", str(folder), "--target", "stickslip_python", "stickslip_command", "--parallel", jobs)
    run("cmake", "--install", str(folder), "--prefix", str(stage), "--component", "python", "--strip")
    package = Path(stage) / f"{NAME}-python" / NAME
    (package / "bin").mkdir(exist_ok=True)
    shutil.copy2(folder / NAME, package / "bin" / NAME)
    strip = shutil.which("strip")
    if strip:
        subprocess.run([strip, str(package / "bin" / NAME)])
    return package.parent


class Wheel:
    """A zip file that keeps the hashes of what goes in; times are fixed, so that the same files give the same bytes."""

    def __init__(self, path):
        self.zip = zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED)
        self.record = []

    def add(self, name, content, mode=0o644):
        info = zipfile.ZipInfo(name, date_time=(2020, 1, 1, 0, 0, 0))
        info.compress_type = zipfile.ZIP_DEFLATED
        info.external_attr = (0o100000 | mode) << 16
        self.zip.writestr(info, content)
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        self.record.append(f"{name},sha256={digest},{len(content)}")

    def close(self, info):
        self.record.append(f"{info}/RECORD,,")
        self.zip.writestr(f"{info}/RECORD", "\n".join(self.record) + "\n")
        self.zip.close()


def wheel_metadata(wheel, info):
    wheel.add(f"{info}/METADATA", metadata().encode())
    wheel.add(f"{info}/WHEEL", f"Wheel-Version: 1.0\nGenerator: stickslip_build\nRoot-Is-Purelib: false\nTag: {tag()}\n".encode())
    wheel.add(f"{info}/entry_points.txt", b"[console_scripts]\nstickslip = stickslip.__main__:main\n")
    wheel.add(f"{info}/LICENSE", (ROOT / "LICENSE").read_bytes())


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    stage = ROOT / "build" / f"wheel-{tag()}" / "stage"
    shutil.rmtree(stage, ignore_errors=True)
    folder = build(config_settings, stage)
    name = f"{NAME}-{version()}-{tag()}.whl"
    info = f"{NAME}-{version()}.dist-info"
    wheel = Wheel(Path(wheel_directory) / name)
    for path in sorted(folder.rglob("*")):
        if path.is_file() and "__pycache__" not in path.parts:
            program = path.suffix == ".so" or path.parent.name == "bin"
            wheel.add(path.relative_to(folder).as_posix(), path.read_bytes(), 0o755 if program else 0o644)
    wheel_metadata(wheel, info)
    wheel.close(info)
    return name


def build_editable(wheel_directory, config_settings=None, metadata_directory=None):
    """A wheel with one line: where the build tree has the package, whose Python files are links into the clone."""
    stage = ROOT / "build" / f"wheel-{tag()}" / "stage"
    build(config_settings, stage)
    name = f"{NAME}-{version()}-{tag()}.whl"
    info = f"{NAME}-{version()}.dist-info"
    wheel = Wheel(Path(wheel_directory) / name)
    wheel.add(f"__editable__.{NAME}.pth", f"{ROOT / 'build' / f'wheel-{tag()}' / 'python'}\n".encode())
    wheel_metadata(wheel, info)
    wheel.close(info)
    return name


def source_files():
    """What git knows, or everything but what builds leave."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True) if (ROOT / ".git").exists() else None
    if listed is not None and listed.returncode == 0:
        names = listed.stdout.decode().split("\0")
        return sorted(name for name in names if name and (ROOT / name).is_file())
    skipped = {"build", "install", ".git", "__pycache__", "node_modules"}
    return sorted(
        str(path.relative_to(ROOT))
        for path in ROOT.rglob("*")
        if path.is_file() and path.name != "PKG-INFO" and not skipped & set(path.relative_to(ROOT).parts)
    )


def build_sdist(sdist_directory, config_settings=None):
    base = f"{NAME}-{version()}"
    name = f"{base}.tar.gz"
    with open(Path(sdist_directory) / name, "wb") as out, gzip.GzipFile("", "wb", fileobj=out, mtime=0) as zipped:
        with tarfile.open(fileobj=zipped, mode="w", format=tarfile.PAX_FORMAT) as tar:

            def add(path, content, mode):
                info = tarfile.TarInfo(f"{base}/{path}")
                info.size, info.mode = len(content), mode
                tar.addfile(info, io.BytesIO(content))

            add("PKG-INFO", metadata().encode(), 0o644)
            for path in source_files():
                add(path, (ROOT / path).read_bytes(), 0o755 if os.access(ROOT / path, os.X_OK) else 0o644)
    return name
