// The sets that SINTER, SUNION, SDIFF and their STORE variants read. Plain values on the stack of one command.
using Garnet.Engine.Execution;
using Garnet.Store.Collections;
using Garnet.Store.Collections.Sets;

namespace Garnet.Commands.Sets;

/// <summary>Several latched sets. Each use opens a set again, which is a lookup under a latch that is already held.</summary>
internal struct SetSources
{
    private const int MaxRepeated = 64;

    private readonly int _first;
    private ulong _smallest; // one bit per set that is the smallest, under whatever index

    private SetSources(int first, int count)
    {
        _first = first;
        Count = count;
    }

    /// <summary>Number of sets.</summary>
    public int Count { get; }

    /// <summary>Number of sets that do not exist.</summary>
    public int Missing { get; private set; }

    /// <summary>Index of the set with the fewest members.</summary>
    public int Smallest { get; private set; }

    /// <summary>Whether a set is known to be the smallest one, whose key may be named several times.</summary>
    public readonly bool IsSmallest(int index) => index == Smallest || (index < MaxRepeated && (_smallest & (1UL << index)) != 0);

    /// <summary>Number of members of the first set.</summary>
    public long FirstMembers { get; private set; }

    /// <summary>Number of members of all sets together.</summary>
    public long TotalMembers { get; private set; }

    /// <summary>
    /// Latches the keys, and the destination if there is one; writes the error and returns false if one of the keys holds another type,
    /// which the destination may.
    /// </summary>
    /// <param name="context">The command's context.</param>
    /// <param name="first">Index of the first key among the arguments; the destination, if any, directly precedes it.</param>
    /// <param name="count">Number of keys.</param>
    /// <param name="hasTarget">Whether there is a destination.</param>
    /// <param name="sources">Receives the sets.</param>
    public static bool TryOpen(scoped ref CommandContext context, int first, int count, bool hasTarget, out SetSources sources)
    {
        if (hasTarget)
            context.LatchKeys(first - 1, 1, count + 1);
        else if (count > 1)
            context.LatchKeys(first, 1, count);
        sources = new SetSources(first, count);
        long minMembers = long.MaxValue;
        for (int i = 0; i < count; i++)
        {
            if (!SetKey.TryOpenForReading(ref context, first + i, out SetValue set))
                return false;
            long members = set.Length;
            sources.Missing += members == 0 ? 1 : 0;
            sources.TotalMembers += members;
            if (i == 0)
                sources.FirstMembers = members;
            if (members >= minMembers)
                continue;
            minMembers = members;
            sources.Smallest = i;
        }

        for (int i = 0; i < Math.Min(count, MaxRepeated); i++)
        {
            if (context[first + i].SequenceEqual(context[first + sources.Smallest]))
                sources._smallest |= 1UL << i;
        }

        return true;
    }

    /// <summary>Opens a set, without counting as another access to its key.</summary>
    public readonly SetValue Open(scoped ref CommandContext context, int index) => new(context.OpenUntouched(_first + index));

    /// <summary>Approximate memory of a set in bytes.</summary>
    public readonly long MemoryBytes(scoped ref CommandContext context, int index) =>
        context.OpenUntouched(_first + index).Contents.MemoryBytes;

    /// <summary>Whether a reply with the members of all sets may be written in pieces.</summary>
    public readonly bool IsLarge(scoped ref CommandContext context)
    {
        long bytes = 0;
        for (int i = 0; i < Count; i++)
            bytes += MemoryBytes(ref context, i);
        return bytes >= CollectionSnapshot.LargeBytes;
    }

    /// <summary>Whether the first set is repeated among the others.</summary>
    public readonly bool IsFirstRepeated(in CommandContext context)
    {
        for (int i = 1; i < Count; i++)
        {
            if (context[_first].SequenceEqual(context[_first + i]))
                return true;
        }

        return false;
    }
}
