"""The questions of unit 07."""

from autograder.questions import Choice

QUESTIONS = (
    Choice(
        "which-training-stalls",
        right="B",
        replies={
            "A": "It learns more slowly at first, because its first steps are small. But it goes on learning, and "
            "ends not far from pre-norm.",
            "C": "It has no warm-up, and it needs none: it learns best of the three.",
            "D": "One of them does stop, after a few steps.",
        },
        reason="Post-norm without warm-up: after a few full steps its gradients die out on their way down. Its loss "
        "ends where it would be if the model knew how often each word occurs, and nothing else.",
    ),
    Choice(
        "tiny-spread",
        right="B",
        replies={
            "A": "Only a token that is exactly constant becomes 0. Small is not lost.",
            "C": "That needs an eps that is added to the root. It is added under the root.",
            "D": "Without eps it would be, and rounding errors would come out as large as any pattern that means "
            "something.",
        },
        reason="The variance is 1e-8, and the root of 1e-8 + 1e-5 is 0.0032. So 0.0001 becomes 0.03. Spreads well "
        "below the root of eps count as noise and stay small: that is what eps is for, more than for the 0 / 0.",
    ),
    Choice(
        "two-features",
        right="D",
        replies={
            "A": "Dividing by d - 1 would give ±0.7071. But layer norm uses the population variance, so ±1 is "
            "right.",
            "B": "In the paper, and in your function, the sum comes first. The order is right.",
            "C": "It may add what it likes. The sum is right, and so is its mean, 5.",
        },
        reason="Two numbers lie at the same distance from their mean, one on each side, and that distance is also "
        "their standard deviation. So the result is -1 and 1, in the order of their size, whatever they were.",
    ),
    Choice(
        "hurried-layer",
        right="B",
        replies={
            "A": "X has one row for each token, so len(X) is n, and the mask is n by n, as it should be.",
            "C": "The network treats every row by itself. Unit 06 changed one token, and only its own row moved.",
            "D": "The last axis is the features, as in your layer_norm. This line is right.",
        },
        reason="In the second line of Y, axis 0 holds the tokens: this norm averages over the whole sentence, later "
        "tokens included. No mask can undo that, and with one sentence no shape gives it away.",
    ),
    Choice(
        "gamma-or-beta",
        right="B",
        replies={
            "A": "With all scales at 1 the model still gets 17 of 40 right.",
            "C": "The norm alone would give every token mean 0 and variance 1, but the layers above were trained on "
            "what gamma and beta make of that.",
        },
        reason="Without the shifts none of the 40 is right. Here is why: four of the ten norms stand before a "
        "feed-forward network, and there β · W_1 lowers what goes into the ReLUs by 1.2 to 2.0 on average. Without "
        "it, 53 of 256 units are on at a word in place of 16, and they say what nobody asked them. With β at 0 in "
        "those four norms alone no sentence is right, with β at 0 in the other six all 39 still are.",
    ),
    Choice(
        "the-other-order",
        right="C",
        replies={
            "A": "The same numbers are used in other places: each matrix would meet vectors of a size and a "
            "direction that it has never seen in training.",
            "B": "One would think so, since every part is there. But each layer gets what the layer before it makes "
            "of the wrong order, and the decoder looks into a memory that it cannot read.",
        },
        reason="It writes hardly anything but full stops. A model is its weights and the order that they were "
        "trained for: no shape and no error tells you when the order is wrong.",
    ),
    Choice(
        "one-layer-twice",
        right="A",
        replies={
            "B": "That is what is left when the two layers swap places.",
            "C": "In the wrong order of sum and norm, nothing worked. But here each sub-layer gets vectors of the "
            "usual size, and adds to them.",
        },
        reason="39, as many as before. A layer does not replace what it is given: it adds to it, and the norm sets "
        "the size back. So the second layer gets vectors not far from those that it knows. Even in the wrong order "
        "the layers get 20 right; with the norms but without the sums, none.",
    ),
    Choice(
        "how-s-moves",
        right="C",
        replies={
            "A": "That is the derivative of s squared. On the left-hand side it is 2 s times the one that you want: "
            "divide by 2 s.",
            "B": "The sum is divided by d: a single feature among many moves s only a little.",
        },
        reason="2 s ∂s = (2/d) (x_i - μ) ∂x_i; the terms in which the mean moves cancel, since the deviations sum "
        "to 0. Divided by 2 s, and with x̂_i for (x_i - μ) / s, that is x̂_i / d.",
    ),
    Choice(
        "gradients-by-depth",
        right="A",
        replies={
            "B": "That was the fate of sub-layers without residual connections and norms. Here every layer has a "
            "direct way to the loss.",
            "C": "Under pre-norm a branch starts with a norm, which divides by the size of its input, and its "
            "gradients are divided as well. Where are the vectors largest?",
        },
        reason="Under pre-norm the vectors grow on their way up, and each norm divides by their size: so later "
        "layers get smaller gradients. Under post-norm every vector has the same size, and nothing like that "
        "happens: even with 24 layers the top stays above 8.",
    ),
    Choice(
        "without-the-mean",
        right="A",
        replies={
            "B": "More. How large are the means that are no longer subtracted?",
            "C": "One would expect that of a model that has never met such vectors. But how large are the means "
            "that are no longer subtracted?",
        },
        reason="39 of 40, as many as with the mean. In most vectors of this model the mean is less than a twentieth "
        "of the standard deviation, so there is little to subtract. What a norm has to keep in check is the size.",
    ),
)
