"""Functions that learners wrote for `combine_masks`, each with what is truly wrong with it."""

import numpy as np

from tests.bank import right, wrong


@wrong("allows a pair as soon as one mask allows it (or instead of and)", names={"or"}, line="result = result | mask")
def any_allows(*masks):
    result = None
    for mask in masks:
        if mask is None:
            continue
        if result is None:
            result = mask.copy()
        else:
            result = result | mask
    return result


@wrong(
    "returns the very array that it was given when a single mask is left, instead of a new one",
    names={"only-mask-itself"},
    line="result = mask",
)
def same_array(*masks):
    result = None
    for mask in masks:
        if mask is not None:
            if result is None:
                result = mask
            else:
                result = result & mask
    return result


@wrong(
    "writes the result into the first mask that it was given (and raises where that one would have to be broadcast)",
    names={"in-place"},
    line="result &= mask",
)
def into_the_first(*masks):
    given = [m for m in masks if m is not None]
    if len(given) == 0:
        return None
    result = given[0]
    if len(given) == 1:
        return result.copy()
    for mask in given[1:]:
        result &= mask
    return result


@wrong("returns True instead of None when no mask is left", names={"true-for-nothing"}, line="result = True")
def true_for_nothing(*masks):
    result = True
    for mask in masks:
        if mask is not None:
            result = np.logical_and(result, mask)
    return result


@wrong(
    "returns None as soon as one of the masks is None, instead of leaving that one out",
    names={"none-decides"},
    line="result = None",
)
def none_spoils_all(*masks):
    if len(masks) == 0:
        return None
    out = np.array(True)
    for mask in masks:
        if mask is None:
            result = None
            return result
        out = out & mask
    return out


@wrong(
    "does not leave out None: raises a TypeError when one of several masks is None",
    names={"none-and"},
    line="result = result & mask",
)
def meets_none(*masks):
    if all(mask is None for mask in masks):
        return None
    result = np.array(True)
    for mask in masks:
        result = result & mask
    return result


@wrong(
    "combines only the first two masks and forgets all further ones",
    names={"only-two"},
    line="return np.logical_and(masks[0], masks[1])",
)
def only_two(*masks):
    masks = [mask for mask in masks if mask is not None]
    if not masks:
        return None
    if len(masks) == 1:
        return masks[0].copy()
    return np.logical_and(masks[0], masks[1])


@wrong(
    "stacks the masks into one array, which raises when their shapes differ",
    names={"stacked", "as-one-array"},
    line="return np.stack(kept).all(axis=0)",
)
def stacked(*masks):
    kept = [m for m in masks if m is not None]
    if kept == []:
        return None
    return np.stack(kept).all(axis=0)


@wrong("returns from inside its loop, so only the first mask counts", names={"first-only"}, line="return result")
def early_return(*masks):
    result = None
    for mask in masks:
        if mask is not None:
            result = mask.copy() if result is None else result & mask
            return result
    return None


@wrong(
    "asks `if mask` of an array, which raises because its truth value is ambiguous",
    names={"asks-for-truth"},
    line="if mask:",
)
def truth_of_an_array(*masks):
    result = None
    for mask in masks:
        if mask:
            result = mask.copy() if result is None else result & mask
    return result


@wrong(
    "allows a pair where the masks agree, so also where both hide it", names={"equal"}, line="result = result == mask"
)
def where_they_agree(*masks):
    kept = [m for m in masks if m is not None]
    if not kept:
        return None
    result = kept[0].copy()
    for mask in kept[1:]:
        result = result == mask
    return result


@wrong(
    "returns whole numbers 1 and 0 instead of booleans",
    names={"multiplied"},
    line="return np.prod(np.broadcast_arrays(*kept), axis=0)",
)
def as_a_product(*masks):
    kept = [m for m in masks if m is not None]
    if not kept:
        return None
    return np.prod(np.broadcast_arrays(*kept), axis=0)


@wrong("starts with False, so the result hides everything", line="result = False")
def starts_with_false(*masks):
    result = False
    left = 0
    for mask in masks:
        if mask is not None:
            result = result & mask
            left += 1
    if left == 0:
        return None
    return result


@wrong(
    "raises an IndexError when all masks are None: asks only whether there is no mask at all",
    names={"never-none"},
    line="result = np.array(kept[0])",
)
def empty_but_not_none(*masks):
    if len(masks) == 0:
        return None
    kept = [m for m in masks if m is not None]
    result = np.array(kept[0])
    for mask in kept[1:]:
        result = result & mask
    return result


@wrong(
    "forces every mask to the shape of the first one, so it raises when the first one has to be broadcast",
    line="result &= mask",
)
def shape_of_the_first(*masks):
    kept = [mask for mask in masks if mask is not None]
    if not kept:
        return None
    result = kept[0].copy()
    for mask in kept[1:]:
        result &= mask
    return result


@wrong(
    "two: allows a pair as soon as one mask allows it, and returns False instead of None when no mask is left",
    names={"or", "sum"},
    line=None,
)
def sum_of_masks(*masks):
    total = 0
    for mask in masks:
        if mask is not None:
            total = total + mask
    return total > 0


@wrong(
    "two: allows only what exactly one of two masks allows (exclusive or), and returns the given array itself when "
    "a single mask is left",
    names={"only-mask-itself"},
    line=None,
)
def exclusive(*masks):
    masks = [mask for mask in masks if mask is not None]
    if len(masks) == 0:
        return None
    result = masks[0]
    for mask in masks[1:]:
        result = result ^ mask
    return result


@wrong(
    "takes one list of masks as its parameter instead of any number of arguments, so a call with several masks or "
    "none raises",
    line=None,
)
def takes_a_list(masks):
    result = None
    for mask in masks:
        if mask is None:
            continue
        result = np.array(mask) if result is None else result & mask
    return result


@wrong("stops at the first None and so forgets all masks after it", names={"stops-at-none"}, line="break")
def stops_at_none(*masks):
    result = None
    for mask in masks:
        if mask is None:
            break
        result = np.copy(mask) if result is None else np.logical_and(result, mask)
    return result


@right
def loop_with_a_copy(*masks):
    result = None
    for mask in masks:
        if mask is None:
            continue
        if result is None:
            result = np.array(mask, dtype=bool)
        else:
            result = result & mask
    return result


@right
def into_ones(*masks):
    kept = [np.asarray(m) for m in masks if m is not None]
    if not kept:
        return None
    result = np.ones(np.broadcast_shapes(*(m.shape for m in kept)), dtype=bool)
    for m in kept:
        result &= m
    return result


@right
def reduced(*masks):
    masks = [m for m in masks if m is not None]
    return np.logical_and.reduce(np.broadcast_arrays(*masks)) if masks else None


@right
def recursive(*masks):
    def both(masks):
        if not masks:
            return None
        first, rest = masks[0], both(masks[1:])
        if first is None:
            return rest
        if rest is None:
            return first.copy()
        return np.minimum(first, rest)

    return both(masks)


@wrong("takes in four masks at most", line="for mask in masks[:4]:")
def four_at_most(*masks):
    result = None
    for mask in masks[:4]:
        if mask is not None:
            result = mask.copy() if result is None else result & mask
    return result


@wrong("joins the masks with +, which is `or` for booleans", names={"or"}, line="result = result + m")
def adds_boolean_masks(*masks):
    result = None
    for m in masks:
        if m is None:
            continue
        if result is None:
            result = m.copy()
        else:
            result = result + m
    return result
