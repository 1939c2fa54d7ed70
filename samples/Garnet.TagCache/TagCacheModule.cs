// A cache whose entries are invalidated by tag. One instance for each server; commands run on many threads.
using Garnet.Modules;

namespace Garnet.TagCache;

/// <summary>
/// Each tag is a counter, and an entry remembers the counters of its tags. Incrementing one counter invalidates all entries with the tag at
/// once, however many there are; they are noticed when they are read, and expire in their own time.
/// </summary>
[Module("tags")]
public sealed class TagCacheModule : IModule
{
    private const long MaxLifetimeMs = 10 * 365 * TimeSpan.MillisecondsPerDay;

    private CommandToken _get = null!;
    private CommandToken _increment = null!;

    public void Load(IModuleHost host)
    {
        _get = host.FindCommand("GET");
        _increment = host.FindCommand("INCR");
    }

    [Command("TAG.SET", CommandFlags.Write | CommandFlags.DenyOom, Calls = CommandCalls.OnItsKeys, Summary = "Sets an entry with tags.")]
    public void Set(
        ref ModuleContext context,
        [Key] ref HashKey entry,
        ReadOnlySpan<byte> value,
        long lifetimeMs,
        [Key(KeyAccess.Read)] ArgumentList tags
    )
    {
        if (lifetimeMs is < 1 or > MaxLifetimeMs)
        {
            context.Reply.WriteError("ERR the lifetime must be between a millisecond and ten years"u8);
            return;
        }

        // A tag that is no counter is an error, before anything is changed.
        long[] versions = new long[tags.Count];
        for (int i = 0; i < versions.Length; i++)
            versions[i] = VersionOf(ref context, tags[i]);
        entry.Delete();
        entry.Set("value"u8, value);
        for (int i = 0; i < versions.Length; i++)
            entry.Set([.. "tag:"u8, .. tags[i]], versions[i]);
        entry.SetExpiry(context.NowMs + lifetimeMs);
        context.Reply.WriteOk();
    }

    [Command(
        "TAG.GET",
        CommandFlags.ReadOnly,
        Calls = CommandCalls.OnItsKeys,
        Summary = "Replies with an entry unless a tag was invalidated."
    )]
    public void Get(ref ModuleContext context, [Key] ref HashKey entry, [Key] ArgumentList tags)
    {
        bool isValid = entry.TryGet("value"u8, out ReadOnlySpan<byte> value);
        foreach (ReadOnlySpan<byte> tag in tags)
            isValid = isValid && entry.TryGetInteger([.. "tag:"u8, .. tag], out long version) && version == VersionOf(ref context, tag);
        if (isValid)
            context.Reply.WriteBulk(value);
        else
            context.Reply.WriteNull();
    }

    [Command("TAG.INVALIDATE", CommandFlags.Write | CommandFlags.DenyOom, Calls = CommandCalls.OnItsKeys, Summary = "Invalidates tags.")]
    public void Invalidate(ref ModuleContext context, [Key] ArgumentList tags)
    {
        foreach (ReadOnlySpan<byte> tag in tags)
            context.Call(_increment, CallFlags.Replicate | CallFlags.RespectOom, tag);
        context.Reply.WriteInteger(tags.Count);
    }

    private long VersionOf(ref ModuleContext context, ReadOnlySpan<byte> tag) =>
        context.Call(_get, CallFlags.None, tag).TryGetInteger(out long version) ? version : 0;
}
