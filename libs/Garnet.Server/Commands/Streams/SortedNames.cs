// The names of groups and consumers in the order in which clients see them. Stateless.
using Garnet.Store;

namespace Garnet.Server.Commands.Streams;

/// <summary>Copies names and sorts them by their bytes; for commands that show all of them.</summary>
internal static class SortedNames
{
    /// <summary>The groups of a stream.</summary>
    public static byte[][] OfGroups(scoped in StreamView view)
    {
        byte[][] names = new byte[view.GroupCount][];
        int count = 0;
        foreach (StreamGroup group in view.Groups)
            names[count++] = group.Name.ToArray();
        return Sort(names);
    }

    /// <summary>The consumers of a group.</summary>
    public static byte[][] OfConsumers(scoped in StreamGroup group)
    {
        byte[][] names = new byte[group.Consumers][];
        int count = 0;
        foreach (StreamConsumer consumer in group)
            names[count++] = consumer.Name.ToArray();
        return Sort(names);
    }

    private static byte[][] Sort(byte[][] names)
    {
        Array.Sort(names, static (one, other) => one.AsSpan().SequenceCompareTo(other));
        return names;
    }
}
