// Makes up values while they are compared, so that a quicksort is as slow as it can be. One thread.
namespace Garnet.Server.Tests.Commands;

/// <summary>
/// The adversary of M. D. McIlroy, "A Killer Adversary for Quicksort" (1999): what is compared with the likely pivot becomes the smallest
/// value not given yet.
/// </summary>
internal sealed class SortAdversary(int count)
{
    private const int Undecided = int.MaxValue;

    private readonly int[] _values = [.. Enumerable.Repeat(Undecided, count)];
    private int _nextValue;
    private int _candidate;

    /// <summary>Comparisons until now.</summary>
    public long Comparisons { get; private set; }

    /// <summary>The value that an element has got; the largest for those never decided.</summary>
    public int ValueOf(int element) => _values[element];

    /// <summary>Compares two elements, deciding what they are when that is open.</summary>
    public int Compare(int a, int b)
    {
        Comparisons++;
        if (_values[a] == Undecided && _values[b] == Undecided)
            _values[a == _candidate ? a : b] = _nextValue++;
        if (_values[a] == Undecided)
            _candidate = a;
        else if (_values[b] == Undecided)
            _candidate = b;
        return _values[a].CompareTo(_values[b]);
    }
}
