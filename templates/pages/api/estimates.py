import os

import pandas as pd
import requests

root = os.environ["CANDOR_URL"] + "/api/v1"
session = requests.Session()
session.headers["Authorization"] = "Bearer " + os.environ["CANDOR_TOKEN"]

level = {"confidence_level": 0.9}
answer = session.get(f"{root}/surveys/exams/estimates", params=level)
answer.raise_for_status()
shares = pd.json_normalize(answer.json()["questions"], "answers", "question")
print(shares[["question", "answer", "proportion", "low", "high"]].round(3))
