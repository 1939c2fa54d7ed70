// Runs an episode on one server while its keys expire. Stateless; any thread.
using Garnet.Testing;
using Xunit;

namespace Garnet.EndToEnd.Tests.Differential;

/// <summary>Generated histories avoid expiry; here, some keys and fields do expire, and the history continues.</summary>
internal static class ExpiringHistory
{
    /// <summary>Runs the commands one by one on an emptied server.</summary>
    public static void Run(TestServer server, Episode episode, ManualTimeProvider clock, Action? afterEach = null)
    {
        Random random = new(episode.Seed);
        RespExchange[] clients = [.. Enumerable.Range(0, episode.Connections).Select(_ => server.Connect())];
        using RespExchange extra = server.Connect();
        Assert.Equal("+OK\r\n", extra.ExecuteText("FLUSHALL"));
        foreach (Command command in episode.Commands)
        {
            if (!command.Name.StartsWith('@') && !Waits(command))
                clients[command.Connection].Execute(command.Arguments);
            switch (random.Next(12))
            {
                case 0:
                    extra.ExecuteText("PEXPIRE", $"k{random.Next(6)}", $"{random.Next(1, 50)}");
                    break;
                case 1:
                    extra.ExecuteText("SET", $"k{random.Next(6)}", "soon gone", "PX", $"{random.Next(1, 50)}");
                    break;
                case 2:
                    extra.ExecuteText(
                        "HPEXPIRE",
                        $"k{random.Next(6)}",
                        $"{random.Next(1, 50)}",
                        "FIELDS",
                        "2",
                        $"f{random.Next(8)}",
                        $"f{random.Next(8)}"
                    );
                    break;
                case 3:
                    clock.Advance(TimeSpan.FromMilliseconds(random.Next(40)));
                    break;
            }

            afterEach?.Invoke();
        }

        foreach (RespExchange client in clients)
            client.Dispose();
    }

    // Time does not pass between steps, so these would wait forever.
    private static bool Waits(Command command) =>
        command.Name
            is "WAIT"
                or "WAITAOF"
                or "SHUTDOWN"
                or "BLPOP"
                or "BRPOP"
                or "BLMOVE"
                or "BRPOPLPUSH"
                or "BLMPOP"
                or "BZPOPMIN"
                or "BZPOPMAX"
                or "BZMPOP"
        || (command.Name == "CLIENT" && (command.Argument(1) is "PAUSE" or "REPLY"));
}
