import os

import pandas as pd
import requests

address = os.environ["CANDOR_URL"] + "/api/v1/surveys/exams/reports?per_page=1000"
pages = []
with requests.Session() as session:
    session.headers["Authorization"] = "Bearer " + os.environ["CANDOR_TOKEN"]
    while address:
        answer = session.get(address)
        answer.raise_for_status()
        page = answer.json()
        pages.append(pd.DataFrame(page["reports"], columns=page["columns"]))
        address = answer.links.get("next", {}).get("url")

reports = pd.concat(pages, ignore_index=True)
print(len(reports), "people")
print(reports.apply(lambda column: column.value_counts(normalize=True)).round(3))
