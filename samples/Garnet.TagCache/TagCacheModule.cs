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
        if (lifetimeMs < 1)
        {
            context.Reply.WriteError("ERR the lifetime must be positive"u8);
            return;
        }

        entry.Delete();
        entry.Set("value"u8, value);
        foreach (ReadOnlySpan<byte> tag in tags)
            entry.Set([.. "tag:"u8, .. tag], VersionOf(ref context, tag));
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
