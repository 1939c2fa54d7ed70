// Makes up values while they are compared, so that a quicksort is as slow as it can be. One thread.
namespace Garnet.Server.Tests.Commands;

/// <summary>The adversary of M. D. McIlroy, "A Killer Adversary for Quicksort" (1999): what is compared with the likely pivot becomes the smallest value not given yet.</summary>
internal sealed class SortAdversary(int count)
{
    private const int Undecided = int.MaxValue;

    private readonly int[] values = [.. Enumerable.Repeat(Undecided, count)];
    private int nextValue;
    private int candidate;

    /// <summary>Comparisons until now.</summary>
    public long Comparisons { get; private set; }

    /// <summary>The value that an element has got; the largest for those never decided.</summary>
    public int ValueOf(int element) => values[element];

    /// <summary>Compares two elements, deciding what they are when that is open.</summary>
    public int Compare(int a, int b)
    {
        Comparisons++;
        if (values[a] == Undecided && values[b] == Undecided)
            values[a == candidate ? a : b] = nextValue++;
        if (values[a] == Undecided)
            candidate = a;
        else if (values[b] == Undecided)
            candidate = b;
        return values[a].CompareTo(values[b]);
    }
}
