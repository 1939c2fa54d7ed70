// Finds hashes by the value of a field. One instance for each server; commands run on many threads.
using System.Collections.Concurrent;
using System.Text;
using Garnet.Modules;

namespace Garnet.SecondaryIndex;

/// <summary>
/// An index over the hashes of database 0 whose names begin with a prefix, in the module's memory. Events of keys keep it up to date, a
/// moment behind the commands; it is built from the keys when the server starts. The arguments of the module are prefix and field:
/// <c>loadmodule Garnet.SecondaryIndex.dll user: city</c>.
/// </summary>
[Module("index")]
public sealed class SecondaryIndexModule : IModule
{
    private const KeyEventKinds Changes =
        KeyEventKinds.Hash | KeyEventKinds.Generic | KeyEventKinds.String | KeyEventKinds.Expired | KeyEventKinds.Evicted;

    // Text with a character for each byte: keys and values are bytes.
    private readonly ConcurrentDictionary<string, string> _valueOf = new();
    private readonly ConcurrentDictionary<string, ConcurrentDictionary<string, byte>> _keysOf = new();
    private CommandToken _get = null!;
    private CommandToken _scan = null!;
    private string _prefix = "user:";
    private byte[] _field = "city"u8.ToArray();

    public void Load(IModuleHost host)
    {
        _get = host.FindCommand("HGET");
        _scan = host.FindCommand("SCAN");
        if (host.Arguments is [var prefix, var field])
            (_prefix, _field) = (Encoding.Latin1.GetString(Encoding.UTF8.GetBytes(prefix)), Encoding.UTF8.GetBytes(field));
        else if (host.Arguments.Count > 0)
            throw new ArgumentException("the arguments are prefix and field");
        host.OnServerEvent(OnServerEvent);
        host.OnKeyEvent(
            Changes,
            (caller, changed) =>
            {
                string key = Encoding.Latin1.GetString(changed.Key.Span);
                if (changed.Database == 0 && key.StartsWith(_prefix, StringComparison.Ordinal))
                    Update(caller, key);
            }
        );
        host.AddInfoSection(
            "keys",
            info =>
            {
                info.Add("index_keys", _valueOf.Count);
                info.Add("index_values", _keysOf.Count);
            }
        );
    }

    [Command("INDEX.FIND", CommandFlags.None, Summary = "The keys whose field has a value, sorted, at most LIMIT.")]
    public void Find(ref ModuleContext context, ReadOnlySpan<byte> value, [Option("LIMIT")] int limit = 1000)
    {
        if (limit < 0)
        {
            context.Reply.WriteError("ERR LIMIT must not be negative"u8);
            return;
        }

        string[] keys = _keysOf.TryGetValue(Encoding.Latin1.GetString(value), out ConcurrentDictionary<string, byte>? found)
            ? [.. found.Keys.Order(StringComparer.Ordinal).Take(limit)]
            : [];
        context.Reply.WriteArray(keys.Length);
        foreach (string key in keys)
            context.Reply.WriteBulk(Encoding.Latin1.GetBytes(key));
    }

    private void OnServerEvent(ModuleCaller caller, ServerEvent happened)
    {
        if (happened is not (ServerEvent.Ready or ServerEvent.Flushed or ServerEvent.BecameReplica))
            return;
        _valueOf.Clear();
        _keysOf.Clear();
        Build(caller);
    }

    private void Build(ModuleCaller caller)
    {
        string cursor = "0";
        do
        {
            List<string> keys = [];
            CallReply scanned = caller.Call(caller.Request(_scan).Add(cursor).Add("COUNT").Add(1000));
            foreach (CallReply part in scanned)
            {
                if (part.Kind == ReplyKind.Bulk)
                    cursor = Encoding.Latin1.GetString(part.Bytes);
                foreach (CallReply key in part)
                    keys.Add(Encoding.Latin1.GetString(key.Bytes));
            }

            foreach (string key in keys)
            {
                if (key.StartsWith(_prefix, StringComparison.Ordinal))
                    Update(caller, key);
            }
        } while (cursor != "0");
    }

    // The present value is read instead of taken from the event: events may be several, and late.
    private void Update(ModuleCaller caller, string key)
    {
        CallReply reply = caller.Call(caller.Request(_get).Add(Encoding.Latin1.GetBytes(key)).Add(_field), CallFlags.ErrorsAsReplies);
        string? value = reply.Kind == ReplyKind.Bulk ? Encoding.Latin1.GetString(reply.Bytes) : null;
        if (_valueOf.TryGetValue(key, out string? old) && old == value)
            return;
        if (_valueOf.TryRemove(key, out old) && _keysOf.TryGetValue(old, out ConcurrentDictionary<string, byte>? keys))
        {
            keys.TryRemove(key, out _);
            if (keys.IsEmpty)
                _keysOf.TryRemove(old, out _);
        }

        if (value is null)
            return;
        _valueOf[key] = value;
        _keysOf.GetOrAdd(value, static _ => new ConcurrentDictionary<string, byte>())[key] = 0;
    }
}
