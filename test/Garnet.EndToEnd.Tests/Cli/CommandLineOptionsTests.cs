// Checks the class that CommandLineParser fills against the option table. GARNET_WRITE_DOCS=1 regenerates it. Starts no server.
using System.Text;
using Garnet.Server.Configuration;
using Garnet.Testing;
using Xunit;

namespace Garnet.EndToEnd.Tests.Cli;

public sealed class CommandLineOptionsTests
{
    private const string Head = """
        // A property for each option of the command line. CommandLineOptionsTests writes this file from OptionTable and compares it. The command
        // line's alone, at start.
        using CommandLine;

        namespace Garnet.Tool;

        /// <summary>What CommandLineParser fills. Single values are lists of one: the parser would not notice a single value missing at the end.</summary>
        internal sealed class CommandLineOptions
        {
            [Value(0)]
            public IEnumerable<string>? File { get; set; }

        """;

    [Fact]
    public void Every_option_of_the_table_can_be_given()
    {
        string path = RepositoryRoot.Combine("src", "GarnetServer", "CommandLineOptions.cs");
        string expected = Write();
        Assert.True(
            expected == GeneratedDocument.WriteAndRead(path, expected),
            GeneratedDocument.Remedy(path, "Garnet.EndToEnd.Tests", nameof(CommandLineOptionsTests))
        );
    }

    private static string Write()
    {
        StringBuilder file = new(Head);
        foreach ((string name, OptionDescriptor option) in OptionTable.Names)
        {
            string most = option.TakesSeveral ? "" : ", Max = 1";
            file.Append($"\n    [Option(\"{name}\", Min = 1{most})]\n");
            file.Append($"    public IEnumerable<string>? {Identifier(name)} {{ get; set; }}\n");
        }

        return file.Append("}\n").ToString();
    }

    private static string Identifier(string name) =>
        string.Concat(name.Split('-').Select(static word => char.ToUpperInvariant(word[0]) + word[1..]));
}
