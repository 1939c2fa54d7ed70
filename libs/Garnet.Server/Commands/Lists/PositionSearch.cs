// Looks for elements of a list that equal another. Lives on the stack; void when the list changes.
using Garnet.Store;

namespace Garnet.Server.Commands.Lists;

/// <summary>Gives the indexes of matches one by one, from either end.</summary>
internal ref struct PositionSearch
{
    private readonly ReadOnlySpan<byte> element;
    private readonly bool isReverse;
    private ListEnumerator rest;
    private long next;

    public PositionSearch(in ListValue list, ReadOnlySpan<byte> element, in PositionOptions options)
    {
        this.element = element;
        isReverse = options.IsReverse;
        long length = list.Length;
        long compared = options.MostCompared == 0 ? length : Math.Min(length, options.MostCompared);
        next = isReverse ? length - 1 : 0;
        rest = length == 0 ? default : list.Range(next, compared, isReverse);
    }

    /// <summary>Goes on to the next match; false when there is none.</summary>
    public bool TryNext(out long index)
    {
        while (rest.MoveNext())
        {
            index = next;
            next += isReverse ? -1 : 1;
            if (rest.Current.SequenceEqual(element))
                return true;
        }

        index = -1;
        return false;
    }
}
