// Holds docs/compatibility.md to the commands that the server really has. GARNET_WRITE_DOCS=1 writes the page anew.
using System.Text;
using System.Text.Json;
using Garnet.Server.CommandModel;
using Garnet.Testing;
using Xunit;

namespace Garnet.Server.Tests.Documentation;

public sealed class CompatibilityPageTests
{
    private static string Page => RepositoryRoot.Combine("docs", "compatibility.md");

    [Fact]
    public void The_page_names_every_command_of_Valkey_with_its_state_here()
    {
        string expected = Write();
        if (Environment.GetEnvironmentVariable("GARNET_WRITE_DOCS") == "1")
            File.WriteAllText(Page, expected);
        string actual = File.Exists(Page) ? File.ReadAllText(Page).ReplaceLineEndings("\n") : "";
        Assert.True(
            expected == actual,
            "docs/compatibility.md is not what the commands are: run this test with GARNET_WRITE_DOCS=1 and commit the page."
        );
    }

    private static string Write()
    {
        HashSet<string> here = [.. Names(new CommandTable(CommandFamilies.All).Commands)];
        Entry[] all = [.. Entries()];
        StringBuilder page = new();
        page.Append(
            "# Commands\n\nEvery command of Valkey 9.1, and whether this version has it. What it has behaves as Valkey's: replies, errors and edge cases are compared with the\n"
        );
        page.Append(
            "real servers by the tests. What it does not have answers `ERR unknown command`. This page is made from the command table; `CompatibilityPageTests` checks it.\n\n"
        );
        page.Append($"{all.Count(e => here.Contains(e.Name))} of {all.Length} commands and subcommands are here.\n");
        foreach (IGrouping<string, Entry> group in all.GroupBy(e => e.Group).OrderBy(g => g.Key, StringComparer.Ordinal))
        {
            page.Append($"\n## {group.Key}\n\n| command | since | here |\n|---|---|---|\n");
            foreach (Entry entry in group)
            {
                page.Append(
                    $"| `{entry.Name.Replace('|', ' ').ToUpperInvariant()}` | {entry.Since} | {(here.Contains(entry.Name) ? "yes" : "not yet")} |\n"
                );
            }
        }

        return page.ToString();
    }

    private static IEnumerable<string> Names(IEnumerable<Command> commands) =>
        commands.SelectMany(command => command.Subcommands.Select(sub => sub.FullName).Prepend(command.FullName));

    private static IEnumerable<Entry> Entries()
    {
        foreach (string line in File.ReadLines(RepositoryRoot.Combine("libs", "Garnet.Server", "Documentation", "command-docs.txt")))
        {
            int tab = line.IndexOf('\t');
            using var json = JsonDocument.Parse(line[(tab + 1)..]);
            yield return new Entry(
                line[..tab],
                json.RootElement.GetProperty("group").GetString()!,
                json.RootElement.GetProperty("since").GetString()!
            );
        }
    }

    private readonly record struct Entry(string Name, string Group, string Since);
}
