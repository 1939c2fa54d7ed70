// Chooses values while they are compared, so that a quicksort is as slow as possible. One thread.
namespace Garnet.Server.Tests.Commands;

/// <summary>
/// The adversary of M. D. McIlroy, "A Killer Adversary for Quicksort" (1999): an element compared with the likely pivot gets the smallest
/// value not assigned yet.
/// </summary>
internal sealed class SortAdversary(int count)
{
    private const int Undecided = int.MaxValue;

    private readonly int[] _values = [.. Enumerable.Repeat(Undecided, count)];
    private int _nextValue;
    private int _candidate;

    /// <summary>Number of comparisons so far.</summary>
    public long Comparisons { get; private set; }

    /// <summary>The value assigned to an element; the largest for elements never assigned.</summary>
    public int ValueOf(int element) => _values[element];

    /// <summary>Compares two elements, assigning a value to one if both are unassigned.</summary>
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
