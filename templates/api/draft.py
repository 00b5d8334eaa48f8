import os

import requests

root = os.environ["CANDOR_URL"] + "/api/v1"
session = requests.Session()
session.headers["Authorization"] = "Bearer " + os.environ["CANDOR_TOKEN"]

address = f"{root}/surveys/exams/definition"
read = session.get(address)
read.raise_for_status()
survey = read.json()
survey["results"] = {"step": 100}

check = session.post(f"{root}/check", json=survey).json()
for fault in check["faults"]:
    print(fault["sentence"])
if check["usable"]:
    unchanged = {"If-Match": read.headers["ETag"]}
    saved = session.put(address, json=survey, headers=unchanged)
    saved.raise_for_status()
    print("saved, at an epsilon of", round(check["epsilon"], 3))
