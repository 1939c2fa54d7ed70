// Bloom filters: a type of value of its own. One instance for each server; commands run on many threads.
using Garnet.Modules;

namespace Garnet.BloomFilter;

/// <summary>
/// A Bloom filter says of an item that it was certainly not added, or that it probably was. Its size follows from the number of items and
/// the share of wrong answers that are accepted (B. H. Bloom, 1970).
/// </summary>
[Module("bloom")]
public sealed class BloomFilterModule : IModule
{
    public void Load(IModuleHost host) => host.AddType(FilterType.Instance);

    [Command(
        "BLOOM.RESERVE",
        CommandFlags.Write | CommandFlags.DenyOom,
        Summary = "Creates a filter for so many items and such a share of errors."
    )]
    public static void Reserve(ref ModuleContext context, [Key] ref CustomKey<FilterType> filter, double errorRate, long capacity)
    {
        if (filter.Exists)
            context.Reply.WriteError("ERR the filter exists"u8);
        else if (FilterType.TryCreate(errorRate, capacity) is not { } created)
            context.Reply.WriteError("ERR the error rate must be between 0 and 1, and the filter at most 64 MiB"u8);
        else
            Set(ref context, ref filter, created);
    }

    [Command(
        "BLOOM.ADD",
        CommandFlags.Write | CommandFlags.DenyOom | CommandFlags.Fast,
        Summary = "Adds an item; 1 if it was certainly new."
    )]
    public static void Add(ref ModuleContext context, [Key] ref CustomKey<FilterType> filter, ReadOnlySpan<byte> item)
    {
        if (!filter.Exists)
        {
            context.Reply.WriteError("ERR there is no such filter; create it with BLOOM.RESERVE"u8);
            return;
        }

        bool isNew = !FilterType.Contains(filter.Payload, item);
        if (isNew)
            FilterType.Add(filter.Edit(), item);
        context.Reply.WriteInteger(isNew ? 1 : 0);
    }

    [Command("BLOOM.EXISTS", CommandFlags.ReadOnly | CommandFlags.Fast, Summary = "Whether an item was probably added.")]
    public static void Exists(ref ModuleContext context, [Key] ref CustomKey<FilterType> filter, ReadOnlySpan<byte> item) =>
        context.Reply.WriteInteger(filter.Exists && FilterType.Contains(filter.Payload, item) ? 1 : 0);

    private static void Set(ref ModuleContext context, ref CustomKey<FilterType> filter, byte[] payload)
    {
        filter.Set(payload);
        context.Reply.WriteOk();
    }
}
