// The first word of the built command. Each test has its own folder.
using Garnet.Testing;
using Xunit;

namespace Garnet.Cli.Tests;

public sealed class VerbTests : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("garnet-verb-").FullName;

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Theory]
    [InlineData("server", "--version")]
    [InlineData("--version")]
    public void The_word_server_may_precede_the_servers_arguments(params string[] arguments)
    {
        ClientProcess run = GarnetProcess.Run(arguments);
        Assert.Equal(0, run.ExitCode);
        Assert.StartsWith("garnet ", run.Output, StringComparison.OrdinalIgnoreCase);
    }

    [Theory]
    [InlineData("server")]
    [InlineData("cli")]
    public void A_file_that_is_called_like_a_verb_is_named_with_its_folder(string name)
    {
        string file = Path.Combine(_folder, name);
        File.WriteAllText(file, "nosuchoption 1\n");
        ClientProcess run = GarnetProcess.Run(file);
        Assert.Equal(1, run.ExitCode);
        Assert.Contains("nosuchoption", run.Output, StringComparison.Ordinal);
        Assert.Contains("nosuchoption", GarnetProcess.Run("server", file).Output, StringComparison.Ordinal);
    }
}
