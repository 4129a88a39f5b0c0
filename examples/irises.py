"""Label the rest of a half-labelled table, and find the species that nobody has named.

irises.csv holds Fisher's 150 irises: four lengths in centimetres, a label, and the true species.
Every second versicolor and virginica is labelled; no setosa is. The species is looked at only
afterwards, to see how well the labels were completed.
"""

import csv
from collections import Counter
from pathlib import Path

import numpy as np
from sklearn.metrics import adjusted_rand_score

from sskmeans import SSKMeans

with open(Path(__file__).with_name("irises.csv"), newline="") as table:
    flowers = list(csv.DictReader(table))
lengths = "sepal_length", "sepal_width", "petal_length", "petal_width"
X = np.array([[float(flower[length]) for length in lengths] for flower in flowers])
y = [flower["label"] or None for flower in flowers]

model = SSKMeans(n_clusters=3, random_state=0).fit(X, y)

found, given = model.labels_, Counter(y)
free = np.array([label is None for label in y])
truth = np.array([flower["species"] for flower in flowers])
print(f"{len(X)} irises, {np.sum(~free)} of them labelled; n_clusters=3\n")
print("class       known  rows given  rows added  species of the rows added")
for name, known in zip(model.classes_, model.is_known_, strict=True):
    added = Counter(truth[free & (found == name)])
    species = ", ".join(f"{count} {species}" for species, count in added.most_common())
    kind = "yes" if known else "new"
    print(f"{name:<10}  {kind:<5}  {given[name]:>10}  {added.total():>10}  {species}")
score = adjusted_rand_score(truth[free], found[free])
print(f"\nAdjusted Rand index over the unlabelled rows: {score:.2f}")
