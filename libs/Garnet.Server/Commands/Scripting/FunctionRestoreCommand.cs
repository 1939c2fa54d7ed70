// FUNCTION RESTORE serialized-value [FLUSH | APPEND | REPLACE]
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Persistence.Rdb;
using Garnet.Server.Configuration;
using Garnet.Server.Persistence;
using Garnet.Server.Scripting;

namespace Garnet.Server.Commands.Scripting;

/// <summary>Loads the libraries of a payload, all or none.</summary>
internal sealed class FunctionRestoreCommand(ServerConfiguration configuration, SnapshotReader snapshots, ServerScripts scripts)
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "RESTORE",
        Arity = -3,
        Flags = CommandFlags.NoScript | CommandFlags.Write | CommandFlags.DenyOom | CommandFlags.WholeKeyspace,
        Group = CommandGroup.Scripting,
        Categories = AclCategories.Scripting,
        Traits = CommandTraits.TakesLongArguments,
        Since = "7.0.0",
        Tips = ["request_policy:all_shards", "response_policy:all_succeeded"],
        MakeHandler = static parts =>
            new FunctionRestoreCommand(parts.Get<ServerConfiguration>(), parts.Get<SnapshotReader>(), parts.Get<ServerScripts>()).Execute,
    };

    private void Execute(ref CommandContext context)
    {
        if (context.Count > 4)
        {
            ArgumentText.WriteSubcommandError(ref context);
            return;
        }

        if (context.Count == 4 && !context.Is(3, "APPEND"u8) && !context.Is(3, "REPLACE"u8) && !context.Is(3, "FLUSH"u8))
        {
            context.Reply.WriteError("ERR Wrong restore policy given, value should be either FLUSH, APPEND or REPLACE."u8);
            return;
        }

        bool takesAnyVersion = configuration.Current.RdbVersionCheck == RdbVersionCheck.Relaxed;
        if (!RdbPayloadReader.IsIntact(context[2], takesAnyVersion, !snapshots.SkipsChecksums))
            context.Reply.WriteError("ERR DUMP payload version or checksum are wrong"u8);
        else
            FunctionChange.Run(ref context, Restore);
    }

    private bool Restore(ref CommandContext context)
    {
        ServerFunctions functions = scripts.Functions;
        bool isFlush = context.Count == 4 && context.Is(3, "FLUSH"u8);
        FunctionCatalog prepared = functions.Prepare(isFlush);
        bool isTrusted = context.Client.Origin.IsReplay;
        string? problem = RdbPayloads
            .OfThread.Of(context.Scratch)
            .Reader.ReadFunctions(context[2], source => ServerFunctions.LoadInto(prepared, source, replaces: false, isTrusted, out _));
        if (problem is null && isFlush)
            functions.Exchange(prepared);
        else
            problem ??= functions.Join(prepared, replaces: context.Count == 4 && context.Is(3, "REPLACE"u8));
        if (problem is null)
        {
            DescribeEffect(ref context);
            context.Reply.WriteOk();
            return true;
        }

        functions.Discard(prepared);
        ArgumentText.WriteError(ref context, "ERR " + problem);
        return false;
    }

    // Libraries are the same in all versions, which replicas of older ones do not know.
    private static void DescribeEffect(ref CommandContext context)
    {
        if (!context.HasSink || RdbPayloadReader.VersionOf(context[2]) <= RdbWriter.UsualVersion)
            return;
        EffectBuffer effect = context.BeginEffect(context.Count);
        for (int i = 0; i < context.Count; i++)
            effect.Add(i == 2 ? RdbPayloads.OfThread.Of(context.Scratch).Writer.Renumber(context[i]) : context[i]);
    }
}
