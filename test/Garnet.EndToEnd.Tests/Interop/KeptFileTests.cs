// Committed files written by real servers: loaded, queried, saved again and checked by the peers' own tools. Temporary folders.
using System.Text;
using System.Text.Json;
using Garnet.Testing;
using Xunit;

namespace Garnet.EndToEnd.Tests.Interop;

public sealed class KeptFileTests : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("garnet-files-").FullName;

    private string Snapshot => Path.Combine(_folder, "dump.rdb");

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Theory]
    [InlineData("redis-7.0")]
    [InlineData("valkey-9.1")]
    public void A_file_of_a_real_server_and_its_copy_give_the_same_replies_as_in_Valkey(string name)
    {
        File.Copy(FileOf(name, "rdb"), Snapshot);
        for (int time = 0; time < 2; time++)
        {
            using TestServer server = Start();
            using RespExchange client = server.Connect();
            Assert.Empty(Differences(client, name));
            Assert.Equal("+OK\r\n", client.ExecuteText("CONFIG", "SET", "rdbcompression", time == 0 ? "yes" : "no"));
            Assert.Equal("+OK\r\n", client.ExecuteText("SAVE"));
        }
    }

    [PeerFact("redis-check-rdb")]
    public void The_checker_of_Redis_accepts_our_files() => Check("redis-check-rdb", "redis-7.0");

    [PeerFact("valkey-check-rdb", Optional = true)]
    public void The_checker_of_Valkey_accepts_our_files() => Check("valkey-check-rdb", "valkey-9.1");

    private void Check(string checker, string name)
    {
        File.Copy(FileOf(name, "rdb"), Snapshot);
        foreach (string compression in new[] { "yes", "no" })
        {
            using (TestServer server = Start())
            {
                using RespExchange client = server.Connect();
                client.ExecuteText("SET", "block", new string('b', 100_000));
                for (int i = 0; i < 2000; i++)
                    client.ExecuteText("ZADD", "tree", $"{i}", $"member {i}");
                client.ExecuteText("CONFIG", "SET", "rdbcompression", compression);
                Assert.Equal("+OK\r\n", client.ExecuteText("SAVE"));
            }

            var check = ClientProcess.Run(Peers.Find(checker), [Snapshot]);
            Assert.True(check.ExitCode == 0, check.Output);
            Assert.Contains("looks OK", check.Output, StringComparison.Ordinal);
        }
    }

    private TestServer Start() =>
        TestServer.Start(options =>
        {
            options.Dir = _folder;
            options.EnableDebugCommand = CommandAccess.Yes;
        });

    private static List<string> Differences(RespExchange client, string name)
    {
        List<string> differences = [];
        foreach (string line in File.ReadLines(FileOf(name, "jsonl")))
        {
            using var question = JsonDocument.Parse(line);
            int database = question.RootElement[0].GetInt32();
            string[] command = [.. question.RootElement[1].EnumerateArray().Select(static word => word.GetString()!)];
            client.ExecuteText("SELECT", $"{database}");
            string reply = Encoding.Latin1.GetString(client.Execute(command)!);
            if (reply != question.RootElement[2].GetString())
            {
                differences.Add(
                    $"{database}: {string.Join(' ', command)}{Environment.NewLine}expected {question.RootElement[2]}{Environment.NewLine}answered {reply}"
                );
            }
        }

        return differences;
    }

    private static string FileOf(string name, string extension) =>
        RepositoryRoot.Combine("test", "Garnet.EndToEnd.Tests", "Interop", "Files", $"{name}.{extension}");
}
