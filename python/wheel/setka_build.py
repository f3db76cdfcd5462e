# SPDX-FileCopyrightText: 2026 the Setka authors
# SPDX-License-Identifier: BSD-3-Clause
"""Builds a wheel of the package for pip (PEP 517) with CMake and the standard library alone, so that no network is needed.

    pip install .                                                        # builds all of it, in build/wheel
    pip install --config-settings=build-dir=build/release .              # of a build that is there
    pip install --config-settings=cmake-args="-DSETKA_CUDA=OFF" .

A wheel that is taken to other machines needs -DSETKA_NATIVE=OFF.
"""
import base64
import hashlib
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[2]


def _version():
    return re.search(r"project\(setka VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text()).group(1)


def _metadata():
    return (f"Metadata-Version: 2.1\nName: setka\nVersion: {_version()}\n"
            "Summary: Solves the mesh and grid equations of mechanics and heat\nLicense: BSD-3-Clause\n"
            "Requires-Python: >=3.9\nRequires-Dist: numpy>=1.22\nDescription-Content-Type: text/markdown\n\n"
            + (ROOT / "README.md").read_text(encoding="utf-8"))


def _tag():
    python = f"cp{sys.version_info[0]}{sys.version_info[1]}"
    return f"{python}-{python}-{sysconfig.get_platform().replace('-', '_').replace('.', '_')}"


def _run(*command):
    print("+", *command, flush=True)
    subprocess.run([str(word) for word in command], check=True)


def _built(settings):
    """The folder of a build that has the package for this interpreter."""
    given = settings.get("build-dir")
    folder = pathlib.Path(given).resolve() if given else ROOT / "build" / "wheel"
    if not given:
        more = shlex.split(os.environ.get("SETKA_CMAKE_ARGS", "")) + shlex.split(settings.get("cmake-args", ""))
        generator = ["-G", "Ninja"] if shutil.which("ninja") else []
        _run("cmake", "-S", ROOT, "-B", folder, *generator, "-DCMAKE_BUILD_TYPE=Release", "-DSETKA_TESTS=OFF",
             "-DSETKA_BENCHMARKS=OFF", "-DSETKA_EXAMPLES=OFF", "-DSETKA_PYTHON=ON", f"-DPython3_EXECUTABLE={sys.executable}",
             *more)
    _run("cmake", "--build", folder, "--target", "setka_python", "--parallel", os.environ.get("SETKA_JOBS", os.cpu_count() or 1))
    return folder


def _record(path, data):
    digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
    return f"{path},sha256={digest},{len(data)}\n"


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    folder = _built(config_settings or {})
    version = _version()
    info = f"setka-{version}.dist-info"
    name = f"setka-{version}-{_tag()}.whl"
    with tempfile.TemporaryDirectory() as stage:
        _run("cmake", "--install", folder, "--component", "wheel", "--prefix", stage)
        files = {str(path.relative_to(stage)): path for path in sorted(pathlib.Path(stage).rglob("*")) if path.is_file()}
        if not any(path.endswith(sysconfig.get_config_var("EXT_SUFFIX")) for path in files):
            sys.exit(f"{folder} has no package for {sys.executable}; give -DPython3_EXECUTABLE={sys.executable} to its cmake")
        texts = {f"{info}/METADATA": _metadata(), f"{info}/licenses/LICENSE": (ROOT / "LICENSE").read_text(encoding="utf-8"),
                 f"{info}/WHEEL": f"Wheel-Version: 1.0\nGenerator: setka_build\nRoot-Is-Purelib: false\nTag: {_tag()}\n"}
        record = ""
        with zipfile.ZipFile(os.path.join(wheel_directory, name), "w", zipfile.ZIP_DEFLATED) as wheel:
            for where, path in files.items():
                data = path.read_bytes()
                wheel.write(path, where)
                record += _record(where, data)
            for where, text in texts.items():
                wheel.writestr(where, text)
                record += _record(where, text.encode())
            wheel.writestr(f"{info}/RECORD", record + f"{info}/RECORD,,\n")
    return name


def prepare_metadata_for_build_wheel(metadata_directory, config_settings=None):
    """So that pip need not build to learn the name."""
    info = pathlib.Path(metadata_directory) / f"setka-{_version()}.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(_metadata(), encoding="utf-8")
    (info / "WHEEL").write_text(f"Wheel-Version: 1.0\nGenerator: setka_build\nRoot-Is-Purelib: false\nTag: {_tag()}\n")
    return info.name


def build_sdist(sdist_directory, config_settings=None):
    """What git knows of the tree."""
    name = f"setka-{_version()}.tar.gz"
    _run("git", "-C", ROOT, "archive", "--format=tar.gz", f"--prefix=setka-{_version()}/", "-o",
         pathlib.Path(sdist_directory).resolve() / name, "HEAD")
    return name
