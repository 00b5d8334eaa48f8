import os

import pandas as pd
import requests

root = os.environ["CANDOR_URL"] + "/api/v1"
session = requests.Session()
session.headers["Authorization"] = "Bearer " + os.environ["CANDOR_TOKEN"]

level = {"confidence_level": 0.9}
answer = session.get(f"{root}/surveys/exams/quantities", params=level)
answer.raise_for_status()
table = pd.DataFrame(answer.json()["quantities"]).dropna(subset="estimate")
print(table[["column", "quantity", "answer", "estimate", "low", "high"]].round(3))
