import json
from pathlib import Path

import numpy as np
import pandas as pd

channel = json.loads(Path("channels.json").read_text())["columns"]["copied"]["strata"]["device"]
chances = np.array(channel["matrix"]) / channel["denominator"]  # P(report | answer), no and yes
codes = pd.read_csv("reports.csv")["copied"]
counts = codes.value_counts().reindex([0, 1]).to_numpy()  # leaves out who was not asked
no, yes = counts / counts.sum() @ np.linalg.inv(chances)
print(yes)
