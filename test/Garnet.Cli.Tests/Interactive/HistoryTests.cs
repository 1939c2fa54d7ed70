// The history on disk. Each test has its own folder.
using Garnet.Cli.Interactive;
using Xunit;

namespace Garnet.Cli.Tests.Interactive;

public sealed class HistoryTests : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("garnet-history-").FullName;

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    private string Path => System.IO.Path.Combine(_folder, "history");

    [Fact]
    public void Lines_outlive_the_session_but_for_those_with_passwords()
    {
        var history = new History(Path);
        history.Add("GET a", isSecret: false);
        history.Add("GET a", isSecret: false);
        history.Add("AUTH x", isSecret: true);
        history.Add("ECHO \"two\nlines\" \\n", isSecret: false);
        Assert.Equal(["GET a", "AUTH x", "ECHO \"two\nlines\" \\n"], history.Lines);
        Assert.Equal(["GET a", "ECHO \"two\nlines\" \\n"], new History(Path).Lines);
        Assert.DoesNotContain("AUTH", File.ReadAllText(Path), StringComparison.Ordinal);
    }

    [Fact]
    public void Only_the_owner_can_read_the_file()
    {
        if (OperatingSystem.IsWindows())
            return;
        new History(Path).Add("GET a", isSecret: false);
        Assert.Equal(UnixFileMode.UserRead | UnixFileMode.UserWrite, File.GetUnixFileMode(Path));
        File.SetUnixFileMode(Path, File.GetUnixFileMode(Path) | UnixFileMode.GroupRead | UnixFileMode.OtherRead);
        new History(Path).Add("GET b", isSecret: false);
        Assert.Equal(UnixFileMode.UserRead | UnixFileMode.UserWrite, File.GetUnixFileMode(Path));
    }

    [Fact]
    public void The_file_does_not_grow_for_ever()
    {
        File.WriteAllLines(Path, Enumerable.Range(0, 2500).Select(static number => $"GET {number}"));
        var history = new History(Path);
        Assert.Equal(1000, history.Lines.Count);
        Assert.Equal("GET 2499", history.Lines[^1]);
        Assert.Equal(1000, File.ReadAllLines(Path).Length);
    }

    [Fact]
    public void A_file_that_cannot_be_used_is_named_once()
    {
        var history = new History(System.IO.Path.Combine(_folder, "none", "history"));
        Assert.Null(history.Problem);
        history.Add("GET a", isSecret: false);
        Assert.Contains("none", history.Problem!, StringComparison.Ordinal);
        history.Add("GET b", isSecret: false);
        Assert.Equal(["GET a", "GET b"], history.Lines);
    }

    [Theory]
    [InlineData("AUTH password", true)]
    [InlineData("  auth user password", true)]
    [InlineData("3 auth password", true)]
    [InlineData("\"AUTH\" password", true)]
    [InlineData("ACL SETUSER joe >secret", true)]
    [InlineData("acl deluser joe", true)]
    [InlineData("ACL LIST", false)]
    [InlineData("CONFIG SET requirepass x", true)]
    [InlineData("CONFIG SET maxmemory 1gb masterauth x", true)]
    [InlineData("CONFIG SET maxmemory 1gb", false)]
    [InlineData("CONFIG GET requirepass", false)]
    [InlineData("HELLO 3 AUTH user x SETNAME me", true)]
    [InlineData("HELLO 3", false)]
    [InlineData("MIGRATE host 6379 k 0 1000 AUTH x", true)]
    [InlineData("MIGRATE host 6379 k 0 1000 AUTH2 u x", true)]
    [InlineData("MIGRATE host 6379 k 0 1000", false)]
    [InlineData("SENTINEL SET mymaster auth-pass x", true)]
    [InlineData("SENTINEL CONFIG SET sentinel-pass x", true)]
    [InlineData("SET auth x", false)]
    [InlineData("GET a\nAUTH x", true)]
    [InlineData("AUTH \"open", true)]
    [InlineData("AUTH\u000bx", true)]
    public void Commands_with_passwords_are_recognized(string line, bool isSecret) => Assert.Equal(isSecret, SecretCommand.Is(line));
}
