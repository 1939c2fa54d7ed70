// Dead records of one epoch slot by exact size, ready for reuse. Owned by the slot: no synchronization.
namespace Garnet.Store;

/// <summary>
/// Bounded stacks, one per size up to 4 KiB. What does not fit is left to the cleaner. A note carries its page's generation: when the page was emptied meanwhile, the note is void.
/// </summary>
internal sealed class FreeRecords
{
    public const int LargestUnits = 512;
    private const int MostPerSize = 512;
    private readonly Note[]?[] _notes = new Note[]?[LargestUnits + 1];
    private readonly int[] _counts = new int[LargestUnits + 1];

    public readonly record struct Note(long Address, uint Generation);

    /// <summary>Remembers a dead record; forgets it when the stack is full.</summary>
    public void Add(int units, long address, uint generation)
    {
        if (units > LargestUnits)
        {
            return;
        }

        Note[] notes = _notes[units] ??= new Note[16];
        int count = _counts[units];
        if (count == notes.Length)
        {
            if (count == MostPerSize)
            {
                return;
            }

            Array.Resize(ref notes, count * 2);
            _notes[units] = notes;
        }

        notes[count] = new Note(address, generation);
        _counts[units] = count + 1;
    }

    /// <summary>Takes the youngest dead record of an exact size.</summary>
    public bool TryTake(int units, out Note note)
    {
        if (units <= LargestUnits && _counts[units] > 0)
        {
            note = _notes[units]![--_counts[units]];
            return true;
        }

        note = default;
        return false;
    }
}
