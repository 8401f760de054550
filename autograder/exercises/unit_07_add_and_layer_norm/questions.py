"""The questions of unit 07."""

from autograder.questions import Choice

QUESTIONS = (
    Choice(
        "which-training-stalls",
        "B",
        {
            "A": "It learns more slowly at first, because its first steps are small. But it goes on learning, and "
            "ends not far from pre-norm.",
            "B": "After a few full steps its gradients die out on their way down. Its loss ends where it would be if "
            "the model knew how often each word occurs, and nothing else.",
            "C": "It has no warm-up, and it needs none: it learns best of the three.",
            "D": "One of them stops learning after a few steps. Its loss stays where the frequencies of the words "
            "alone would bring it.",
        },
    ),
    Choice(
        "tiny-spread",
        "C",
        {
            "A": "Without eps it would be, and rounding errors would come out as large as any pattern that means "
            "something. Here 1e-8 is added to 1e-5, and eps wins.",
            "B": "Only a token that is exactly constant becomes 0. Here 0.0001 is divided by the root of 1e-8 + 1e-5, "
            "which gives 0.03: small, but not lost.",
            "C": "The variance is 1e-8, and the root of 1e-8 + 1e-5 is 0.0032. So 0.0001 becomes 0.03. Spreads well "
            "below the root of eps count as noise and stay small: that is what eps is for, more than for the 0 / 0.",
        },
    ),
    Choice(
        "two-features",
        "D",
        {
            "A": "3 + 7 is 10, so the mean is 5. It is right.",
            "B": "Dividing by d - 1 would give ±0.7071. But layer norm uses the population variance, so ±1 is right.",
            "C": "In the paper, and in your function, the sum comes first. The order is right.",
            "D": "Two numbers lie at the same distance from their mean, one on each side, and that distance is also "
            "their standard deviation. So the result is -1 and 1, in the order of their size, whatever they were.",
        },
    ),
    Choice(
        "hurried-layer",
        "B",
        {
            "A": "X has one row for each token, so len(X) is n, and the mask is n by n, as it should be.",
            "B": "Axis 0 holds the tokens: this norm averages over the whole sentence, later tokens included. No mask "
            "can undo that, and with one sentence no shape gives it away.",
            "C": "The network treats every row by itself. Unit 06 changed one token, and only its own row moved.",
            "D": "The last axis is the features, as in your layer_norm. This line is right.",
        },
    ),
    Choice(
        "gamma-or-beta",
        "B",
        {
            "A": "With all scales at 1 the model still gets 17 of 40 right, but without the shifts none. They add the "
            "same to every token, and in training the layers above have come to count on it.",
            "B": "Without the shifts none of the 40 is right, with all scales at 1 still 17. Training has used the "
            "shifts for more than fine tuning: they add the same to every token, and the layers above count on it.",
            "C": "The norm alone would give every token mean 0 and variance 1, but the layers above were trained on "
            "what gamma and beta make of that.",
        },
    ),
    Choice(
        "the-other-order",
        "C",
        {
            "A": "The same numbers are used in other places: each matrix would meet vectors of a size and a direction "
            "that it has never seen in training.",
            "B": "One would think so, since every part is there. But each layer gets what the layer before it makes of "
            "the wrong order, and the decoder looks into a memory that it cannot read.",
            "C": "It writes hardly anything but full stops. A model is its weights and the order that they were "
            "trained for: no shape and no error tells you when the order is wrong.",
        },
    ),
    Choice(
        "one-layer-twice",
        "A",
        {
            "A": "39, as many as before. A layer does not replace what it is given: it adds to it, and the norm sets "
            "the size back. So the second layer gets vectors not far from those that it knows. Even in the wrong order "
            "the layers get 20 right; with the norms but without the sums, none.",
            "B": "That is what is left when the two layers swap places. A second round through the first does less: "
            "it adds to the vectors once more, and the norm sets their size back.",
            "C": "In the wrong order of sum and norm, nothing worked. But here each sub-layer gets vectors of the "
            "usual size, and adds to them. So what the second layer reads has not changed beyond recognition.",
        },
    ),
    Choice(
        "how-s-moves",
        "C",
        {
            "A": "That is the derivative of s squared. On the left-hand side it is 2 s times the one that you want: "
            "divide by 2 s.",
            "B": "The sum is divided by d: a single feature among many moves s only a little.",
            "C": "2 s ∂s = (2/d) (x_i - μ) ∂x_i; the terms in which the mean moves cancel, since the deviations sum to "
            "0. Divided by 2 s, and with x̂_i for (x_i - μ) / s, that is x̂_i / d.",
        },
    ),
    Choice(
        "gradients-by-depth",
        "B",
        {
            "A": "That was the fate of sub-layers without residual connections and norms. Here every layer has a "
            "direct way to the loss.",
            "B": "Under pre-norm the vectors grow on their way up, and each norm divides by their size: so later "
            "layers get smaller gradients. Under post-norm every vector has the same size, and nothing like that "
            "happens: even with 24 layers the top stays above 8.",
            "C": "Under pre-norm a branch starts with a norm, which divides by the size of its input, and its "
            "gradients are divided as well. Where are the vectors largest?",
        },
    ),
    Choice(
        "without-the-mean",
        "C",
        {
            "A": "One would expect that of a model that has never met such vectors. But how large are the means that "
            "are no longer subtracted?",
            "B": "Even more. The means that are no longer subtracted are small beside the spread of the features.",
            "C": "39 of 40, as many as with the mean. In most vectors of this model the mean is less than a twentieth "
            "of the standard deviation, so there is little to subtract. What a norm has to keep in check is the size.",
        },
    ),
)
