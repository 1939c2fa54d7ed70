// A module for tests whose commands use streams. Immutable.
using System.Text;
using Garnet.Modules;

namespace Garnet.Server.Tests.Modules;

/// <summary>One command for each operation of a stream.</summary>
[Module("streams")]
public sealed class Streams : IModule
{
    private CommandToken _add = null!;

    public void Load(IModuleHost host) => _add = host.FindCommand("XADD");

    [Command("STR.ADD", CommandFlags.Write | CommandFlags.DenyOom, Categories = "stream")]
    public void Add(ref ModuleContext context, [Key] ref StreamKey stream, ReadOnlySpan<byte> field, ReadOnlySpan<byte> value)
    {
        StreamEntryId id = stream.NextId(context.NowMs);
        stream.AddField(field, value);
        stream.AddField("more"u8, ""u8);
        stream.EndEntry(id);
        context.Replicate(context.Request(_add).Add(context[1]).Add(id.ToString()).Add(field).Add(value).Add("more").Add(""u8));
        context.Reply.WriteBulk(id.ToString());
    }

    [Command("STR.AT", CommandFlags.Write)]
    public static void At(ref ModuleContext context, [Key] ref StreamKey stream, long milliseconds)
    {
        if (milliseconds > 0)
            stream.AddField("f"u8, "v"u8);
        stream.EndEntry(new StreamEntryId((ulong)milliseconds, 0));
        context.Reply.WriteOk();
    }

    [Command("STR.READ", CommandFlags.ReadOnly)]
    public static void Read(ref ModuleContext context, [Key] ref StreamKey stream, [Option("REV")] bool isReverse = false)
    {
        context.Reply.WriteArray((int)stream.Length);
        StreamEntries entries = stream.Range(default, StreamEntryId.Max, isReverse);
        while (entries.MoveNext())
        {
            StringBuilder text = new(entries.Id.ToString());
            foreach (HashFieldValue field in entries.Current)
                text.Append(' ').Append(Encoding.Latin1.GetString(field.Field)).Append('=').Append(Encoding.Latin1.GetString(field.Value));
            context.Reply.WriteBulk(text.ToString());
        }
    }

    // A field of an entry becomes one of another entry: a span of the value is an argument of its change.
    [Command("STR.COPY", CommandFlags.Write)]
    public static void Copy(ref ModuleContext context, [Key] ref StreamKey stream)
    {
        StreamEntries entries = stream.GetEnumerator();
        entries.MoveNext();
        StreamEntryFields fields = entries.Current;
        fields.MoveNext();
        stream.AddField(fields.Current.Field, fields.Current.Value);
        stream.EndEntry(stream.NextId(0));
        context.Reply.WriteOk();
    }

    [Command("STR.REMOVE", CommandFlags.Write)]
    public static void Remove(ref ModuleContext context, [Key] ref StreamKey stream, long milliseconds) =>
        context.Reply.WriteBoolean(stream.Remove(new StreamEntryId((ulong)milliseconds, 0)));

    [Command("STR.TRIM", CommandFlags.Write)]
    public static void Trim(ref ModuleContext context, [Key] ref StreamKey stream, long length) =>
        context.Reply.WriteInteger(stream.TrimToLength(length));
}
