// What happens to the files around a server while it runs or between two runs. Child processes in temporary folders.
using System.Net.Sockets;
using Garnet.Testing;
using Xunit;

namespace Garnet.EndToEnd.Tests.Cli;

public sealed class MissingFoldersTests : IDisposable
{
    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(2);

    private readonly string _folder = Directory.CreateTempSubdirectory("garnet-missing-").FullName;

    public void Dispose()
    {
        if (Directory.Exists(_folder))
            Directory.Delete(_folder, recursive: true);
    }

    [Fact]
    public void A_server_ends_well_whose_folders_are_gone()
    {
        string other = Directory.CreateDirectory(Path.Combine(_folder, "other")).FullName;
        string data = Directory.CreateDirectory(Path.Combine(_folder, "data")).FullName;
        using var garnet = GarnetProcess.StartIn(other, "--dir", data, "--pidfile", Path.Combine(other, "pid"), "--appendonly", "yes");
        using (RespExchange client = garnet.Connect())
            Assert.Equal("+OK\r\n", client.ExecuteText("SET", "a", "1"));
        Directory.Delete(other, recursive: true);
        garnet.Signal("TERM");
        Assert.Equal(0, garnet.WaitForExit(Patience));
        Assert.DoesNotContain("Unhandled", garnet.Output, StringComparison.Ordinal);
        Directory.CreateDirectory(other);
    }

    [Fact]
    public void A_server_without_a_folder_of_data_still_ends()
    {
        string other = Directory.CreateDirectory(Path.Combine(_folder, "other")).FullName;
        string data = Directory.CreateDirectory(Path.Combine(_folder, "data")).FullName;
        using var garnet = GarnetProcess.StartIn(other, "--dir", data, "--appendonly", "yes", "--logfile", Path.Combine(other, "log"));
        using (RespExchange client = garnet.Connect())
            Assert.Equal("+OK\r\n", client.ExecuteText("SET", "a", "1"));
        Directory.Delete(data, recursive: true);
        Directory.Delete(other, recursive: true);
        garnet.Signal("TERM");
        Assert.InRange(garnet.WaitForExit(Patience), 0, 1);
        Assert.DoesNotContain("Unhandled", garnet.Output, StringComparison.Ordinal);
        Directory.CreateDirectory(other);
    }

    [Fact]
    public async Task An_empty_or_stale_file_where_the_socket_is_to_be_is_replaced()
    {
        string path = Path.Combine(_folder, "s");
        var endPoint = new UnixDomainSocketEndPoint(path);
        File.WriteAllText(path, "");
        await AnswersAsync(endPoint);
        Assert.False(File.Exists(path));
        using (var killed = GarnetProcess.StartIn(_folder))
            killed.Kill();
        Assert.True(File.Exists(path));
        await AnswersAsync(endPoint);
        Assert.False(File.Exists(path));
    }

    [Fact]
    public void A_relative_path_of_the_users_file_counts_from_dir()
    {
        File.WriteAllText(Path.Combine(_folder, "users.acl"), "user app on nopass ~* +@all\nuser default on nopass ~* +@all\n");
        using var garnet = GarnetProcess.StartIn(_folder, "--dir", _folder, "--aclfile", "users.acl");
        using RespExchange client = garnet.Connect();
        Assert.Equal("*2\r\n$3\r\napp\r\n$7\r\ndefault\r\n", client.ExecuteText("ACL", "USERS"));
        Assert.Equal("+OK\r\n", client.ExecuteText("ACL", "SETUSER", "third"));
        Assert.Equal("+OK\r\n", client.ExecuteText("ACL", "SAVE"));
        Assert.Contains("user third", File.ReadAllText(Path.Combine(_folder, "users.acl")), StringComparison.Ordinal);
        Assert.Equal("+OK\r\n", client.ExecuteText("ACL", "LOAD"));
    }

    private static async Task AnswersAsync(UnixDomainSocketEndPoint endPoint)
    {
        await using GarnetServer server = new GarnetServerBuilder().Listen(endPoint).Build();
        await server.StartAsync();
        using (var client = RespExchange.Connect(endPoint))
            Assert.Equal("+PONG\r\n", client.ExecuteText("PING"));
        await server.StopAsync();
    }
}
