// A user who may run every command but touch no key changes and reads nothing, whatever the arguments: what the check takes for keys is
// what commands use as keys.
using System.Text;
using Garnet.Testing;
using Xunit;
using Xunit.Abstractions;

namespace Garnet.EndToEnd.Tests.Differential;

public sealed class RestrictedUserTests(ITestOutputHelper output)
{
    private const int EpisodesPerFamily = 12;

    // About the whole keyspace, as a matter of the command alone.
    private static readonly string[] WithoutKeys = ["FLUSHALL", "FLUSHDB", "SWAPDB", "DEBUG", "SCRIPT", "FUNCTION"];

    [Fact]
    public void A_user_without_keys_changes_nothing()
    {
        using var server = TestServer.Start(options => options.EnableDebugCommand = CommandAccess.Yes);
        int seed = TestSeed.ChooseAnew(output);
        foreach (Family family in Family.All.Where(static family => family.Name is not ("acl" or "conditions" or "connection" or "server")))
        {
            for (int i = 0; i < EpisodesPerFamily; i++)
            {
                Episode episode = family.Generate(seed + i, Dialect.Valkey91);
                using var admin = RespExchange.Connect(server.EndPoint);
                admin.Execute("FLUSHALL");
                foreach (Command command in episode.Commands.Take(episode.Commands.Count / 2).Where(Applies).Where(SetsNoExpiry))
                    admin.Execute(command.Arguments);
                admin.Execute("RESET");
                string before = admin.ExecuteText("DEBUG", "DIGEST");
                admin.Execute("ACL", "SETUSER", "guest", "reset", "on", "nopass", "+@all");
                using var guest = RespExchange.Connect(server.EndPoint);
                guest.Execute("AUTH", "guest", "");
                foreach (Command command in episode.Commands.Where(Applies))
                    guest.Execute(command.Arguments);
                Assert.True(before == admin.ExecuteText("DEBUG", "DIGEST"), $"family {family.Name}, seed {seed + i}");
            }
        }
    }

    private static bool Applies(Command command) =>
        command.Name != Command.ScanAll
        && !WithoutKeys.Contains(command.Name)
        // Blocking commands would wait.
        && !command.Name.StartsWith('B')
        && command.Name is not ("WAIT" or "WAITAOF" or "QUIT" or "RESET" or "MONITOR" or "XREAD" or "XREADGROUP");

    // Keys that expire would change the digest as well.
    private static bool SetsNoExpiry(Command command) =>
        !command.Name.Contains("EXPIRE", StringComparison.Ordinal)
        && command.Name is not ("SETEX" or "PSETEX" or "RESTORE")
        && !command.Arguments.Any(static argument =>
            Encoding.Latin1.GetString(argument).ToUpperInvariant() is "EX" or "PX" or "EXAT" or "PXAT"
        );
}
