// TALLY.ADD key number [note], TALLY.GET key
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Server.Composition;
using Garnet.Store.DataTypes;

namespace Garnet.Server.Tests.Extensions;

/// <summary>The commands of <see cref="TallyType"/>.</summary>
internal static class TallyCommands
{
    public static readonly CommandDescriptor Add = new()
    {
        Name = "TALLY.ADD",
        Arity = -3,
        Flags = CommandFlags.Write | CommandFlags.DenyOom,
        Group = CommandGroup.Generic,
        Since = "1.0.0",
        Keys = [KeySpec.Range(1, 0, 1, KeySpecFlags.RW | KeySpecFlags.Update)],
        Handler = ExecuteAdd,
    };

    public static readonly CommandDescriptor Get = NewGet("TALLY.GET");

    public static readonly ServerExtensions Extensions = new() { Commands = [Add, Get], Types = [TallyType.Instance] };

    private static void ExecuteAdd(ref CommandContext context)
    {
        if (!context.TryGetInteger(2, out long number))
            return;
        if (!context.TryOpen(1, TallyType.Instance, countsLookup: false, out CustomValue tally))
            return;
        (long count, long sum) = tally.Exists ? TallyType.Read(tally.Payload) : default;
        byte[] note = context.Count > 3 ? context[3].ToArray() : [];
        tally.Set(TallyType.Instance, TallyType.Format(count + 1, sum + number, note));
        context.Reply.WriteInteger(sum + number);
    }

    /// <summary>The command under a name.</summary>
    public static CommandDescriptor NewGet(string name) =>
        new()
        {
            Name = name,
            Arity = 2,
            Flags = CommandFlags.ReadOnly,
            Group = CommandGroup.Generic,
            Since = "1.0.0",
            Keys = [KeySpec.Range(1, 0, 1, KeySpecFlags.RO | KeySpecFlags.Access)],
            Handler = ExecuteGet,
        };

    private static void ExecuteGet(ref CommandContext context)
    {
        if (!context.TryOpen(1, TallyType.Instance, countsLookup: true, out CustomValue tally))
            return;
        (long count, long sum) = tally.Exists ? TallyType.Read(tally.Payload) : default;
        context.Reply.WriteArray(3);
        context.Reply.WriteInteger(count);
        context.Reply.WriteInteger(sum);
        context.Reply.WriteBulk(tally.Exists ? TallyType.NoteOf(tally.Payload) : default);
    }
}
