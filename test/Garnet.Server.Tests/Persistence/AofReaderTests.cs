// Files of Redis and Valkey, read without executing commands. Each test has its own folder.
using System.Text;
using Garnet.Engine.Execution;
using Garnet.Persistence.AppendLog;
using Garnet.Server.Composition;
using Garnet.Server.Persistence.Aof;
using Xunit;

namespace Garnet.Server.Tests.Persistence;

public sealed class AofReaderTests : IDisposable
{
    private const string Set = "*3\r\n$3\r\nSET\r\n$1\r\na\r\n$1\r\n1\r\n";
    private const string Annotation = "#TS:1700000000\r\n";

    private readonly string _folder = Directory.CreateTempSubdirectory("garnet-aof-").FullName;

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Theory]
    [InlineData(Annotation + Set, 1, 0)]
    [InlineData(Set + Annotation, 1, 0)]
    [InlineData(Annotation, 0, 0)]
    [InlineData(Set + Annotation + "*3\r\n$3\r\nSE", 1, 10)]
    [InlineData(Set + Annotation + Annotation + Set + Annotation + "*", 2, 1)]
    [InlineData(Set + "#TS:17", 1, 6)]
    public void Annotations_are_skipped_wherever_the_file_ends(string content, int requests, int lost)
    {
        (AofEffectCheck seen, AofReader reader) = Read(content);
        Assert.Equal((requests, content.Length - lost), (seen.Count, reader.ReadBytes));
        Assert.Equal(lost > 0, reader.Truncation is not null);
    }

    [Theory]
    [InlineData("*1\r\n$9223372036854775807\r\n")]
    [InlineData("*2\r\n$3\r\nGET\r\n$9223372036854775807\r\na\r\n")]
    [InlineData("*1\r\n$2147483647\r\n")]
    [InlineData("*1\r\n$-1\r\n")]
    [InlineData("*1\r\n$0\r\n\r\n")]
    public void Invalid_requests_are_reported_with_their_offset(string content)
    {
        AppendOnlyLogException refused = Assert.Throws<AppendOnlyLogException>(() => Read(Set + content));
        Assert.Contains($"byte {Set.Length}", refused.Message, StringComparison.Ordinal);
    }

    private (AofEffectCheck Seen, AofReader Reader) Read(string content)
    {
        string path = Path.Combine(_folder, "file.aof");
        File.WriteAllBytes(path, Encoding.Latin1.GetBytes(content));
        var seen = new AofEffectCheck(new CommandTable(CommandFamilies.All));
        var reader = new AofReader(static (_, _) => 0, () => seen, mayTruncate: true);
        reader.Read(new AofFile(path, IsLast: true));
        return (seen, reader);
    }
}
