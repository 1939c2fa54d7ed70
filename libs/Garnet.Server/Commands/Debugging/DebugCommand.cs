// DEBUG <subcommand> ...
using Garnet.Engine.Arguments;
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Server.Persistence;
using Garnet.Server.Replication;
using Garnet.Server.Tiering;
using Garnet.Store;
using Microsoft.Extensions.Logging;

namespace Garnet.Server.Commands.Debugging;

/// <summary>
/// Supports tests of clients and servers; its help lists the subcommands. As in Valkey, the subcommands are not registered.
/// </summary>
internal sealed class DebugCommand(
    ILogger log,
    DebugServer server,
    ClientRegistry clients,
    DataReload reload,
    ServerReplication replication,
    SnapshotReader snapshots
)
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "DEBUG",
        Arity = -2,
        Flags = CommandFlags.Admin | CommandFlags.NoScript | CommandFlags.Loading | CommandFlags.Stale | CommandFlags.WholeKeyspace,
        ProtectedBy = ProtectingOption.Debug,
        Group = CommandGroup.Server,
        Since = "1.0.0",
        Help = new(
            "1.0.0",
            [
                "ASSERT",
                "    Crash the process, as PANIC and SEGFAULT do.",
                "CHANGE-REPL-ID",
                "    Change the replication IDs of the instance.",
                "    Dangerous: should be used only for testing the replication subsystem.",
                "CLIENT-ENFORCE-REPLY-LIST <0|1>",
                "    Taken without effect.",
                "CLIENT-EVICTION",
                "    Show how many clients use how much memory, by powers of two.",
                "CONFIG-REWRITE-FORCE-ALL",
                "    Like CONFIG REWRITE but writes all options, also those with their defaults.",
                "DELAY-RDB-CLIENT-FREE-SECONDS <seconds>",
                "    Taken without effect.",
                "DICT-RESIZING <0|1>",
                "    Taken without effect.",
                "DIGEST",
                "    Output a hex signature representing the current DB content.",
                "DIGEST-VALUE <key> [<key> ...]",
                "    Output a hex signature of the values of all the specified keys.",
                "ERROR <string>",
                "    Return a RESP protocol error with <string> as message. Useful for clients",
                "    unit tests to simulate error replies.",
                "HASHTABLE-CAN-ABORT-SHRINK <0|1>",
                "    Taken without effect.",
                "LISTPACK <key>",
                "    Write low level info about the listpack encoding of <key> to the server log.",
                "LOADAOF",
                "    Flush the append only log to disk and reload it in memory.",
                "LOG <message>",
                "    Write <message> to the server log.",
                "OBJECT <key> [fast]",
                "    Show low level info about `key` and associated value.",
                "    Some fields of the default behavior may be time consuming to fetch,",
                "    and `fast` can be passed to avoid fetching them.",
                "PANIC",
                "    Crash the process.",
                "PAUSE-AFTER-FORK <0|1>",
                "    Taken without effect.",
                "PAUSE-CRON <0|1>",
                "    Stop what the server does ten times a second: limits, schedules, idle clients.",
                "POPULATE <count> [<prefix>] [<size>]",
                "    Create <count> string keys named key:<num>. If <prefix> is specified then",
                "    it is used instead of the 'key' prefix.",
                "PROTOCOL <type>",
                "    Reply with a test value of the specified type. <type> can be: string,",
                "    integer, double, bignum, null, array, set, map, attrib, push, verbatim,",
                "    true, false.",
                "PROTECT-CLIENT <id>",
                "    Taken without effect: a client is never freed while it is in use.",
                "QUICKLIST <key> [<0|1>]",
                "    Write low level info about the quicklist encoding of <key> to the server log.",
                "QUICKLIST-PACKED-THRESHOLD <size>",
                "    Taken without effect.",
                "RELOAD [option ...]",
                "    Save the RDB on disk and reload it back to memory. Valid <option> values:",
                "    * MERGE: conflicting keys will be loaded from RDB. There are none, as the",
                "      database is emptied before.",
                "    * NOSAVE: the database will be loaded from an existing RDB file.",
                "REPLICATE <string>",
                "    Replicates the provided string to replicas, allowing data divergence.",
                "REPLYBUFFER PEAK-RESET-TIME <NEVER||RESET|time>",
                "    Taken without effect.",
                "REPLYBUFFER RESIZING <0|1>",
                "    Taken without effect.",
                "SDSLEN <key>",
                "    Show the lengths of <key> and of its string.",
                "SEGFAULT",
                "    Crash the process.",
                "SET-ACTIVE-EXPIRE <0|1>",
                "    Setting it to 0 disables expiring keys in background when they are not",
                "    accessed (otherwise the behavior). Setting it to 1 reenables back the",
                "    default.",
                "SET-DISABLE-DENY-SCRIPTS <0|1>",
                "    Setting it to 1 lets scripts call DEBUG.",
                "SET-SKIP-CHECKSUM-VALIDATION <0|1>",
                "    Enables or disables checksum checks for RDB files and RESTORE's payload.",
                "SLEEP <seconds>",
                "    Stop the server for <seconds>. Decimals allowed.",
                "STRINGMATCH-TEST",
                "    Match random patterns against random texts.",
                "TIER COLD [<key> ...]",
                "    Move the values of all keys, or of some, to disk, as far as they may move.",
                "    Return the number of keys whose values are on disk since then.",
            ]
        ),
        MakeHandler = static parts =>
            new DebugCommand(
                parts.Get<ILogger>(),
                parts.Get<DebugServer>(),
                parts.Get<ClientRegistry>(),
                parts.Get<DataReload>(),
                parts.Get<ServerReplication>(),
                parts.Get<SnapshotReader>()
            ).Execute,
    };

    private void Execute(ref CommandContext context)
    {
        int count = context.Count;
        if (count == 2 && context.Is(1, "HELP"u8))
        {
            HelpReply.Write(ref context);
        }
        else if (count == 3 && context.Is(1, "SLEEP"u8))
        {
            Sleep(ref context);
        }
        else if (context.Is(1, "RELOAD"u8))
        {
            Reload(ref context);
        }
        else if (count is 3 or 4 && context.Is(1, "OBJECT"u8))
        {
            DebugObject.Write(ref context);
        }
        else if (count == 3 && context.Is(1, "SDSLEN"u8))
        {
            DebugObject.WriteTextLength(ref context);
        }
        else if (count == 3 && context.Is(1, "LISTPACK"u8))
        {
            DebugObject.LogSmall(ref context, log);
        }
        else if (count is 3 or 4 && context.Is(1, "QUICKLIST"u8))
        {
            DebugObject.LogLargeList(ref context, log);
        }
        else if (count == 3 && context.Is(1, "SET-ACTIVE-EXPIRE"u8))
        {
            SetActiveExpiry(ref context);
        }
        else if (count == 2 && context.Is(1, "STRINGMATCH-TEST"u8))
        {
            MatchAtRandom(ref context);
        }
        else if (count == 3 && context.Is(1, "SET-SKIP-CHECKSUM-VALIDATION"u8))
        {
            SetSkipChecksums(ref context);
        }
        else if (count == 3 && context.Is(1, "PROTOCOL"u8))
        {
            DebugProtocol.Write(ref context);
        }
        else if (count == 3 && context.Is(1, "ERROR"u8))
        {
            WriteUncounted(ref context);
        }
        else if (count == 3 && context.Is(1, "LOG"u8))
        {
            Log(ref context);
        }
        else if (count == 2 && context.Is(1, "LOADAOF"u8))
        {
            LoadLog(ref context);
        }
        else if (count == 2 && context.Is(1, "DIGEST"u8))
        {
            DebugDigest.WriteAll(ref context);
        }
        else if (context.Is(1, "DIGEST-VALUE"u8))
        {
            DebugDigest.WriteValues(ref context);
        }
        else if (count is >= 3 and <= 5 && context.Is(1, "POPULATE"u8))
        {
            DebugPopulation.Execute(ref context);
        }
        else if (count >= 3 && context.Is(1, "TIER"u8) && context.Is(2, "COLD"u8))
        {
            MoveToDisk(ref context);
        }
        else if (count == 2 && context.Is(1, "CHANGE-REPL-ID"u8))
        {
            ChangeReplicationId(ref context);
        }
        else if (!server.TryExecute(ref context) && !DebugSetting.TryExecute(ref context, clients))
        {
            string name = ArgumentText.Printable(context[1]);
            ArgumentText.WriteError(
                ref context,
                $"ERR unknown subcommand or wrong number of arguments for '{(name.Length > 128 ? name[..128] : name)}'. Try DEBUG HELP."
            );
        }
    }

    // An error that a test asked for is not an error of the server, so statistics do not count it.
    private static void WriteUncounted(ref CommandContext context)
    {
        byte[] reply = [(byte)'-', .. context[2], (byte)'\r', (byte)'\n'];
        Span<byte> text = reply.AsSpan(1, context[2].Length);
        text.Replace((byte)'\r', (byte)' ');
        text.Replace((byte)'\n', (byte)' ');
        context.Reply.WriteRaw(reply);
    }

    // Stops the whole server, which is the purpose of the command: under the barrier no client's command runs, so here a thread may block.
    private static void Sleep(ref CommandContext context)
    {
        double seconds = LeadingNumber.Parse(context[2]);
        context.Store.RunExclusive(() => Thread.Sleep(TimeSpan.FromSeconds(Math.Clamp(seconds, 0, TimeSpan.FromDays(1).TotalSeconds))));
        context.Reply.WriteOk();
    }

    private void Reload(ref CommandContext context)
    {
        bool saves = true;
        for (int i = 2; i < context.Count; i++)
        {
            bool skipsSaving = context.Is(i, "NOSAVE"u8);
            if (!skipsSaving && !context.Is(i, "MERGE"u8))
            {
                context.Reply.WriteError("ERR DEBUG RELOAD only supports the MERGE and NOSAVE options."u8);
                return;
            }

            saves &= !skipsSaving;
        }

        if (context.Client.Transactions.IsExecuting)
            context.Reply.WriteError("ERR DEBUG RELOAD is not possible inside a transaction, as it waits for the disk."u8);
        else
            context.Suspend(new ReloadWait(reload, saves));
    }

    private void MatchAtRandom(ref CommandContext context)
    {
        const int times = 100_000;
        Span<byte> pattern = stackalloc byte[32];
        Span<byte> text = stackalloc byte[32];
        for (int i = 0; i < times; i++)
        {
            Random.Shared.NextBytes(pattern);
            Random.Shared.NextBytes(text);
            pattern[Random.Shared.Next(pattern.Length)] = (byte)'*';
            pattern[Random.Shared.Next(pattern.Length)] = (byte)'[';
            _ = GlobPattern.IsMatch(pattern[..Random.Shared.Next(pattern.Length)], text[..Random.Shared.Next(text.Length)]);
        }

        context.Reply.WriteSimpleString("Apparently the server did not crash: test passed"u8);
    }

    private void ChangeReplicationId(ref CommandContext context)
    {
        replication.History.Change();
        context.Reply.WriteOk();
    }

    private static void SetActiveExpiry(ref CommandContext context)
    {
        context.Store.Store.Maintenance.RemovesExpired = LeadingNumber.Parse(context[2]) is >= 1 or <= -1;
        context.Reply.WriteOk();
    }

    private void SetSkipChecksums(ref CommandContext context)
    {
        snapshots.SkipsChecksums = LeadingNumber.Parse(context[2]) is >= 1 or <= -1;
        context.Reply.WriteOk();
    }

    private void LoadLog(ref CommandContext context)
    {
        if (context.Client.Transactions.IsExecuting)
            context.Reply.WriteError("ERR DEBUG LOADAOF is not allowed in a transaction"u8);
        else
            context.Suspend(new LogReloadWait(reload.FromLogAsync()));
    }

    private static void MoveToDisk(ref CommandContext context)
    {
        HybridLogStore store = context.Store.Store;
        if (store.Tier is null)
        {
            context.Reply.WriteError("ERR DEBUG TIER COLD needs maxdisk: all values are in memory"u8);
            return;
        }

        if (context.Client.Transactions.IsExecuting)
        {
            context.Reply.WriteError("ERR DEBUG TIER COLD is not possible inside a transaction, as it waits for the disk"u8);
            return;
        }

        byte[][]? keys = context.Count == 3 ? null : new byte[context.Count - 3][];
        for (int i = 0; i < keys?.Length; i++)
            keys[i] = context[i + 3].ToArray();
        context.Suspend(new SweepWait(store, context.Store.Database, keys));
    }

    private void Log(ref CommandContext context)
    {
        log.LogWarning("DEBUG LOG: {Message}", ArgumentText.Printable(context[2]));
        context.Reply.WriteOk();
    }
}
