// Faults of a module's code that end a process, or might. The built command; a folder of its own.
using Garnet.Testing;
using Xunit;

namespace Garnet.EndToEnd.Tests.Faults;

[Collection(FaultsCollection.Name)]
public sealed class ModuleFaultTests : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("garnet-module-").FullName;

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    private static string Module
    {
        get
        {
            string configuration = Path.GetFileName(Path.GetDirectoryName(AppContext.BaseDirectory.TrimEnd('/')))!;
            return RepositoryRoot.Combine("samples", "Garnet.BadModule", "bin", configuration, "net10.0", "Garnet.BadModule.dll");
        }
    }

    private GarnetProcess Start(params (string Name, string Value)[] environment) =>
        GarnetProcess.StartManagedIn(
            _folder,
            environment.Select(static each => KeyValuePair.Create(each.Name, each.Value)),
            "--loadmodule",
            Module,
            "--save",
            ""
        );

    // The file of the earlier snapshot is replaced when the next one is complete.
    [Fact]
    public void A_kill_in_the_middle_of_a_types_save_leaves_the_snapshot_before()
    {
        using (GarnetProcess server = Start())
        using (RespExchange client = server.Connect())
        {
            Assert.Equal("+OK\r\n", client.ExecuteText("SET", "k", "saved"));
            Assert.Equal("+OK\r\n", client.ExecuteText("SAVE"));
            Assert.Equal("+OK\r\n", client.ExecuteText("SET", "k", "changed"));
            Assert.Equal("+OK\r\n", client.ExecuteText("BAD.VALUE", "v", "HANGS"));
            Assert.StartsWith("+Background", client.ExecuteText("BGSAVE"), StringComparison.Ordinal);
            Assert.Contains("rdb_bgsave_in_progress:1\r\n", client.ExecuteText("INFO", "persistence"), StringComparison.Ordinal);
            Assert.Equal("+OK\r\n", client.ExecuteText("SET", "k", "while it is saved"));
            server.Kill();
        }

        using GarnetProcess again = Start();
        using RespExchange reader = again.Connect();
        Assert.Equal("$5\r\nsaved\r\n", reader.ExecuteText("GET", "k"));
        Assert.Equal(":0\r\n", reader.ExecuteText("EXISTS", "v"));
        Assert.Equal("+OK\r\n", reader.ExecuteText("SAVE"));
        Assert.Equal(["dump.rdb"], Directory.GetFiles(_folder, "*.rdb").Select(Path.GetFileName));
    }

    [Fact]
    public void Allocation_without_end_is_an_error_of_the_command()
    {
        using GarnetProcess server = Start(("DOTNET_GCHeapHardLimit", "0x18000000"));
        using RespExchange client = server.Connect();
        using RespExchange other = server.Connect();
        for (int i = 0; i < 2; i++)
        {
            string reply = client.ExecuteText("BAD.EXHAUST");
            Assert.StartsWith("-ERR OutOfMemoryException in command 'bad.exhaust'", reply, StringComparison.Ordinal);
            Assert.Equal("+OK\r\n", other.ExecuteText("SET", "k", "v"));
        }

        Assert.Equal("$1\r\nv\r\n", other.ExecuteText("GET", "k"));
    }
}
