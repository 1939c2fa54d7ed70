// The sets that SINTER, SUNION, SDIFF and their STORE forms read. Plain values on the stack of one command.
using Garnet.Server.CommandModel;
using Garnet.Store.Collections;
using Garnet.Store.Collections.Sets;

namespace Garnet.Server.Commands.Sets;

/// <summary>Several latched sets. Each is opened anew where it is used: a lookup under a latch already held.</summary>
internal struct SetSources
{
    private readonly int _first;

    private SetSources(int first, int count)
    {
        _first = first;
        Count = count;
    }

    /// <summary>Number of sets.</summary>
    public int Count { get; }

    /// <summary>How many of them do not exist.</summary>
    public int Missing { get; private set; }

    /// <summary>Index of the set with the fewest members.</summary>
    public int Smallest { get; private set; }

    /// <summary>Members of the first set.</summary>
    public long FirstMembers { get; private set; }

    /// <summary>Members of all sets together.</summary>
    public long TotalMembers { get; private set; }

    /// <summary>
    /// Latches some keys, and the target if there is one; writes the error and returns false when one of the keys, not the target, holds
    /// another type.
    /// </summary>
    /// <param name="context">The call.</param>
    /// <param name="first">Argument index of the first key; a target stands right before it.</param>
    /// <param name="count">Number of keys.</param>
    /// <param name="hasTarget">Whether there is a target.</param>
    /// <param name="sources">Receives the sets.</param>
    public static bool TryOpen(scoped ref CommandContext context, int first, int count, bool hasTarget, out SetSources sources)
    {
        if (hasTarget)
            context.LatchKeys(first - 1, 1, count + 1);
        else if (count > 1)
            context.LatchKeys(first, 1, count);
        sources = new SetSources(first, count);
        long least = long.MaxValue;
        for (int i = 0; i < count; i++)
        {
            if (!SetKey.TryOpenForReading(ref context, first + i, out SetValue set))
                return false;
            long members = set.Length;
            sources.Missing += members == 0 ? 1 : 0;
            sources.TotalMembers += members;
            if (i == 0)
                sources.FirstMembers = members;
            if (members >= least)
                continue;
            least = members;
            sources.Smallest = i;
        }

        return true;
    }

    /// <summary>A set; that it is one use of its key was counted in the beginning.</summary>
    public readonly SetValue Open(scoped ref CommandContext context, int index) => new(context.OpenUntouched(_first + index));

    /// <summary>About what a set takes.</summary>
    public readonly long MemoryBytes(scoped ref CommandContext context, int index) => context.OpenUntouched(_first + index).MemoryBytes;

    /// <summary>Whether a reply with the members of all sets may be written in pieces.</summary>
    public readonly bool IsLarge(scoped ref CommandContext context)
    {
        long bytes = 0;
        for (int i = 0; i < Count; i++)
            bytes += MemoryBytes(ref context, i);
        return bytes >= CollectionSnapshot.LargeBytes;
    }

    /// <summary>Whether the first set stands again among the others.</summary>
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
