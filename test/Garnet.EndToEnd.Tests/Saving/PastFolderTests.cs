// Folders written by earlier versions, one committed for each format: this version starts with them. Each test has its own folder.
using System.Formats.Tar;
using System.Globalization;
using System.IO.Compression;
using Garnet.Testing;
using Xunit;

namespace Garnet.EndToEnd.Tests.Saving;

/// <summary>
/// If you change the format of the data folder, pack folders of the previous version into <c>PastFolders</c>, named after that version. A
/// file <c>lengths.txt</c> contains the lengths of the files, whose trailing zeros are omitted.
/// </summary>
public sealed class PastFolderTests : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("garnet-past-").FullName;

    public static TheoryData<string> Folders => [.. Names];

    private static IEnumerable<string> Names =>
        Directory.EnumerateFiles(FolderOfFixtures, "*.tar.gz").Select(static path => Path.GetFileName(path)[..^".tar.gz".Length]).Order();

    private static string FolderOfFixtures => RepositoryRoot.Combine("test", "Garnet.EndToEnd.Tests", "Saving", "PastFolders");

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Fact]
    public void There_is_one_folder_of_each_format() =>
        Assert.Superset(
            new HashSet<string> { "0.1-closed", "0.1-killed", "0.1-rewritten", "0.1-several-lives", "0.1-snapshot-taken-over" },
            Names.ToHashSet()
        );

    [Theory]
    [MemberData(nameof(Folders))]
    public void A_folder_of_an_earlier_version_starts(string name)
    {
        Unpack(name);
        string[] words = name switch
        {
            "0.1-several-lives" => ["a", "b", "c"],
            "0.1-rewritten" or "0.1-snapshot-taken-over" => ["a", "b"],
            _ => ["a"],
        };
        // The second time, it is a folder of this version.
        for (int time = 0; time < 2; time++)
        {
            using var server = GarnetProcess.StartIn(_folder, "--appendonly", "yes");
            using RespExchange client = server.Connect();
            Assert.Equal(string.Create(CultureInfo.InvariantCulture, $":{words.Length * 25}\r\n"), client.ExecuteText("DBSIZE"));
            foreach (string word in words)
                AssertFilled(client, word);
        }
    }

    private static void AssertFilled(RespExchange client, string word)
    {
        for (int i = 0; i < 20; i++)
            Assert.Equal($"{word} {i}", client.ExecuteText("GET", $"{word}:{i}").Split("\r\n")[1]);
        Assert.Equal("*3\r\n$1\r\na\r\n$1\r\nb\r\n$1\r\nc\r\n", client.ExecuteText("LRANGE", $"{word}:list", "0", "-1"));
        Assert.Equal("$1\r\nv\r\n", client.ExecuteText("HGET", $"{word}:hash", "f"));
        Assert.Equal("$1\r\n1\r\n", client.ExecuteText("ZSCORE", $"{word}:zset", "m"));
        Assert.Equal(":2\r\n", client.ExecuteText("SCARD", $"{word}:set"));
        Assert.Equal(":1\r\n", client.ExecuteText("XLEN", $"{word}:stream"));
    }

    private void Unpack(string name)
    {
        using (FileStream file = File.OpenRead(Path.Combine(FolderOfFixtures, name + ".tar.gz")))
        using (GZipStream archive = new(file, CompressionMode.Decompress))
            TarFile.ExtractToDirectory(archive, _folder, overwriteFiles: true);
        foreach (string line in File.ReadLines(Path.Combine(_folder, "lengths.txt")))
        {
            string[] words = line.Split(' ');
            using FileStream file = new(Path.Combine(_folder, words[0]), FileMode.Open);
            file.SetLength(long.Parse(words[1], CultureInfo.InvariantCulture));
        }
    }
}
