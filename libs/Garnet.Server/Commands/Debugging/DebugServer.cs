// DEBUG's subcommands about the server as a whole.
using System.Globalization;
using System.Numerics;
using System.Text;
using Garnet.Engine.Arguments;
using Garnet.Engine.Clients;
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Server.Acl;
using Garnet.Server.Configuration;
using Garnet.Server.Effects;
using Garnet.Server.Eviction;
using Garnet.Server.Modules;
using Garnet.Server.Replication;
using Garnet.Server.Scripting;

namespace Garnet.Server.Commands.Debugging;

/// <summary>Pauses periodic work, rewrites the whole configuration file, shows how much memory clients use, and ends the process.</summary>
internal sealed class DebugServer(
    ServerConfiguration configuration,
    Users users,
    ServerModules modules,
    ServerScripts scripts,
    ServerReplication replication,
    ClientRegistry clients,
    ServerClock clock
)
{
    // Clients below 32 KiB share the first line, those of 4 GiB and more the last one.
    private const int LeastBits = 15;
    private const int MostBits = 33;

    /// <summary>Replies and returns true if the subcommand is one of these.</summary>
    public bool TryExecute(ref CommandContext context)
    {
        switch (context.Count)
        {
            case 3 when context.Is(1, "PAUSE-CRON"u8):
                clock.IsPaused = LeadingNumber.Parse(context[2]) is >= 1 or <= -1;
                context.Reply.WriteOk();
                return true;
            case 2 when context.Is(1, "CONFIG-REWRITE-FORCE-ALL"u8):
                RewriteAll(ref context);
                return true;
            case 2 when context.Is(1, "CLIENT-EVICTION"u8):
                WriteClientMemory(ref context);
                return true;
            case >= 3 when context.Is(1, "REPLICATE"u8):
                Replicate(ref context);
                return true;
            case 3 when context.Is(1, "SET-DISABLE-DENY-SCRIPTS"u8):
                scripts.MayDebug = LeadingNumber.Parse(context[2]) is >= 1 or <= -1;
                context.Reply.WriteOk();
                return true;
            case 2 when context.Is(1, "ASSERT"u8) || context.Is(1, "PANIC"u8) || context.Is(1, "SEGFAULT"u8):
                Environment.FailFast($"DEBUG {ArgumentText.Printable(context[1])} was called.");
                return true;
            default:
                return false;
        }
    }

    private void RewriteAll(ref CommandContext context)
    {
        if (!UserLines.TryWrite(users, configuration.Current, out List<string> lines, out string unwritable))
            ArgumentText.WriteError(ref context, "ERR CONFIG-REWRITE-FORCE-ALL failed: " + unwritable);
        else if (configuration.Rewrite(lines, modules.Lines(), writesAll: true) is { } problem)
            context.Reply.WriteError("ERR CONFIG-REWRITE-FORCE-ALL failed: " + problem);
        else
            context.Reply.WriteOk();
    }

    // For replicas alone, without SELECT, and whatever it says: so that a test can make the data of replicas differ.
    private void Replicate(ref CommandContext context)
    {
        EffectFeed feed = replication.Effects;
        if (feed.IsReplicating && !feed.IsFollowing)
        {
            var command = new EffectBuffer();
            command.Begin(context.Count - 2);
            for (int i = 2; i < context.Count; i++)
                command.Add(context[i]);
            feed.Stream.AppendVerbatim(command.Written, isForLinks: true);
        }

        context.Reply.WriteOk();
    }

    // A line for each power of two: how many clients use that much memory, and how much they use together. Those that are never closed
    // for their memory do not count.
    private void WriteClientMemory(ref CommandContext context)
    {
        if (ClientEviction.LimitOf(configuration.Current) == 0)
        {
            context.Reply.WriteError("ERR maxmemory-clients is disabled."u8);
            return;
        }

        const int lines = MostBits - LeastBits + 1;
        long[] bytes = new long[lines];
        int[] counts = new int[lines];
        foreach (ClientSession client in clients.Connected)
        {
            if (client.Modes.NoEvict)
                continue;
            long used = client.MemoryBytes;
            int line = Math.Clamp(64 - BitOperations.LeadingZeroCount((ulong)used) - LeastBits, 0, lines - 1);
            bytes[line] += used;
            counts[line]++;
        }

        var text = new StringBuilder();
        for (int line = 0; line < lines; line++)
        {
            long least = line == 0 ? 0 : 1L << (line - 1 + LeastBits);
            string most =
                line == lines - 1
                    ? "+            "
                    : string.Create(CultureInfo.InvariantCulture, $" - {(1L << (line + LeastBits)) - 1, 10}");
            text.Append(CultureInfo.InvariantCulture, $"bucket {least, 10}{most}: tot-mem: {bytes[line], 10}, clients: {counts[line]}\n");
        }

        context.Reply.WriteVerbatim("txt"u8, Encoding.ASCII.GetBytes(text.ToString()));
    }
}
