#!/usr/bin/env python3
"""Writes command-docs.txt from Valkey's command descriptions: generate-command-docs.py <valkey>/src/commands

One line a command: its full name, a tab, and a JSON object whose members are COMMAND DOCS' in the order of its reply. What Garnet adds to a command stands in EXTENSIONS, and commands
of later versions of Valkey in LATER.
"""
import glob
import json
import os
import sys

GROUPS = {"sorted_set": "sorted-set"}
FROM = {"name": "renewal-time", "type": "unix-time", "display": "unix-time-milliseconds", "token": "FROM", "optional": True}
EXTENSIONS = {
    "set": lambda arguments: arguments.append({
        "name": "sliding", "type": "block", "optional": True,
        "summary": "Garnet's own: the key expires so long after it was set or last renewed; another expiry is the limit.",
        "arguments": [{"name": "sliding-time", "type": "integer", "display": "milliseconds", "token": "SLIDING"}, FROM],
    }),
    "getex": lambda arguments: arguments[1]["arguments"].append({
        "name": "sliding", "type": "block",
        "summary": "Garnet's own: renews a sliding expiry; with TOUCH the reply is 1 or 0 instead of the value.",
        "arguments": [
            {"name": "renew", "type": "pure-token", "token": "SLIDING"},
            {"name": "touch", "type": "pure-token", "token": "TOUCH", "optional": True},
            FROM,
        ],
    }),
}


ROLE = {"name": "rolename", "type": "string"}
LATER = {
    "acl|delrole": {
        "summary": "Deletes roles that no user has.",
        "complexity": "O(N+M) where N is the number of roles to delete and M the number of users.",
        "arguments": [{**ROLE, "multiple": True}],
    },
    "acl|getrole": {
        "summary": "Lists the rules of a role and the users that have it.",
        "complexity": "O(N+M) where N is the number of the role's rules and M the number of users.",
        "arguments": [ROLE],
    },
    "acl|roles": {"summary": "Lists all roles.", "complexity": "O(N) where N is the number of roles."},
    "acl|setrole": {
        "summary": "Creates and modifies a role and its rules.",
        "complexity": "O(N+M*C) where N is the number of rules, M the number of users that have the role and C the number of clients.",
        "arguments": [ROLE, {"name": "rule", "type": "string", "optional": True, "multiple": True}],
    },
}


def argument(source):
    composite = source["type"] in ("oneof", "block")
    result = {"name": source["name"].lower(), "type": source["type"]}
    if not composite:
        result["display_text"] = source.get("display", source["name"]).lower()
    if "key_spec_index" in source:
        result["key_spec_index"] = source["key_spec_index"]
    if source.get("token"):
        result["token"] = "" if source["token"] == '""' else source["token"].upper()
    for field in ("summary", "since", "deprecated_since"):
        if source.get(field):
            result[field] = source[field]
    flags = [flag for flag in ("optional", "multiple", "multiple_token") if source.get(flag)]
    if flags:
        result["flags"] = flags
    if composite:
        result["arguments"] = [argument(each) for each in source["arguments"]]
    return result


def documentation(source):
    result = {"summary": source["summary"], "since": source["since"], "group": GROUPS.get(source["group"], source["group"])}
    if source.get("complexity"):
        result["complexity"] = source["complexity"]
    if source.get("doc_flags"):
        result["doc_flags"] = sorted(flag.lower() for flag in source["doc_flags"])
    for field in ("deprecated_since", "replaced_by", "history"):
        if source.get(field):
            result[field] = source[field]
    if source.get("arguments"):
        result["arguments"] = [argument(each) for each in source["arguments"]]
    return result


def line(name, source):
    return name + "\t" + json.dumps(documentation(source), ensure_ascii=False, separators=(",", ":")) + "\n"


def main():
    lines = [line(name, {"since": "9.2.0", "group": "server", **source}) for name, source in LATER.items()]
    for path in glob.glob(os.path.join(sys.argv[1], "*.json")):
        with open(path, encoding="utf-8") as file:
            for name, source in json.load(file).items():
                full = (source["container"] + "|" + name if "container" in source else name).lower()
                if full in EXTENSIONS:
                    EXTENSIONS[full](source["arguments"])
                if source["group"] != "sentinel":
                    lines.append(line(full, source))
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "command-docs.txt"), "w", encoding="utf-8") as file:
        file.writelines(sorted(lines))


main()
