#!/usr/bin/env python3
"""Validates every scenario against the JSON Schema that `understudy schema` prints, with a validator that is not ours.

    Tests/Schema/check.py SCHEMA.json scenarios Tests/ScenarioFormatTests/Mistakes

Files below a folder named Mistakes are broken on purpose; they are only counted: a schema finds some, lint finds all.
Needs jsonschema and PyYAML.
"""
import json
import pathlib
import sys

import jsonschema
import yaml


def main(schema_file, *folders):
    schema = json.loads(pathlib.Path(schema_file).read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    bad = good = found = mistakes = 0
    for folder in folders:
        for path in sorted(pathlib.Path(folder).rglob("*.yaml")):
            try:
                errors = list(validator.iter_errors(yaml.safe_load(path.read_text())))
            except (yaml.YAMLError, UnicodeDecodeError) as error:
                errors = [error]
            if "Mistakes" in path.parts:
                mistakes += 1
                found += bool(errors)
            elif errors:
                bad += 1
                best = jsonschema.exceptions.best_match(errors)
                print(f"{path}: {best.message[:300] if best else errors[0]}", file=sys.stderr)
            else:
                good += 1
    print(f"{good} scenarios fit the schema, {bad} do not; it finds {found} of {mistakes} mistakes")
    return 1 if bad or not good or mistakes and not found else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
