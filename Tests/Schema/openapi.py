"""Holds the OpenAPI document of the control interface against its standard, and beside the one that is served."""

import json
import re
import sys

from openapi_spec_validator import validate

path, source = sys.argv[1:]
with open(path, encoding="utf-8") as file:
    document = json.load(file)
validate(document)
with open(source, encoding="utf-8") as file:
    text = re.search(r'#"""\n(.*)\n\s*"""#', file.read(), re.DOTALL).group(1)
served = json.loads("".join(line.strip().removesuffix("\\#") for line in text.split("\n")))
if served != document:
    sys.exit(f"{path} and {source} differ")
print(f"{len(document['paths'])} paths, as the standard has it")
