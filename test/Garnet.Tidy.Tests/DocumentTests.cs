// Checks the documents against the tree: what they name must exist. Each test reads files only.
using System.Text.RegularExpressions;
using Garnet.Testing;
using Xunit;

namespace Garnet.Tidy.Tests;

public sealed partial class DocumentTests
{
    private static IEnumerable<string> Documents => SourceTree.Files.Where(file => file.EndsWith(".md", StringComparison.Ordinal));

    [Fact]
    public void Every_path_named_in_a_document_exists()
    {
        var offences = new List<string>();
        foreach (string document in Documents)
        {
            string folder = Path.GetDirectoryName(document)!;
            string text = SourceTree.Text(document);
            offences.AddRange(
                RootedPath()
                    .Matches(text)
                    .Select(match => match.Groups["path"].Value.TrimEnd('.', '/'))
                    .Where(path => !Exists(path))
                    .Select(path => $"{document}: {path}")
            );
            offences.AddRange(
                Link()
                    .Matches(text)
                    .Select(match => match.Groups["path"].Value)
                    .Where(path => !path.Contains("://", StringComparison.Ordinal) && !Exists(Path.Combine(folder, path)))
                    .Select(path => $"{document}: {path}")
            );
        }

        Offences.AssertNone(offences);
    }

    [Fact]
    public void Architecture_has_a_line_for_every_project()
    {
        if (!Exists("ARCHITECTURE.md"))
            return;
        string text = SourceTree.Text("ARCHITECTURE.md");
        IEnumerable<string?> rooms = SourceTree
            .Files.Where(file => file.EndsWith(".csproj", StringComparison.Ordinal))
            .Select(Path.GetFileNameWithoutExtension);
        Offences.AssertNone(rooms.Where(room => !text.Contains(room!, StringComparison.Ordinal)));
    }

    // As `AClassTests.A_test_of_it`; three dots stand for the rest of a name.
    [Fact]
    public void Every_test_named_in_a_document_exists()
    {
        var tests = SourceTree
            .Files.Where(file => file.StartsWith("test/", StringComparison.Ordinal) && file.EndsWith("Tests.cs", StringComparison.Ordinal))
            .GroupBy(file => Path.GetFileNameWithoutExtension(file)!)
            .ToDictionary(group => group.Key, group => string.Concat(group.Select(SourceTree.Text)));
        var offences = new List<string>();
        foreach (string document in Documents)
        {
            offences.AddRange(
                TestName()
                    .Matches(SourceTree.Text(document))
                    .Where(match =>
                        !tests.TryGetValue(match.Groups["class"].Value, out string? text)
                        || !Regex.IsMatch(text, $@" {match.Groups["test"].Value}{(match.Groups["rest"].Success ? "" : @"\(")}")
                    )
                    .Select(match => $"{document}: {match.Value}")
            );
        }

        Offences.AssertNone(offences);
    }

    // What users and contributors type; the benchmarks and the machines behind the decisions are Linux.
    [Fact]
    public void Examples_that_only_bash_takes_have_a_form_for_PowerShell()
    {
        var offences = new List<string>();
        foreach (string document in Documents.Where(static file => !LinuxOnly().IsMatch(file)))
        {
            foreach (string section in Heading().Split(SourceTree.Text(document)))
            {
                if (!section.Contains("PowerShell", StringComparison.Ordinal))
                    offences.AddRange(BashOnly().Matches(section).Select(match => $"{document}: {match.Value.Trim()}"));
            }
        }

        Offences.AssertNone(offences);
    }

    private static bool Exists(string path)
    {
        string full = RepositoryRoot.Combine(path);
        return File.Exists(full) || Directory.Exists(full);
    }

    // A path from the root: one of the top folders, then names; a pattern such as `libs/*` or `test/Garnet.<Lib>` does not count.
    [GeneratedRegex(@"(?<![\w./~-])(?<path>(?:libs|src|test|benchmark|\.ci)/[\w./-]*)(?![\w*<{./-])")]
    private static partial Regex RootedPath();

    [GeneratedRegex(@"(?<=[`/])(?<class>[A-Z]\w*Tests)\.(?<test>[A-Z]\w*_\w+?)(?<rest>\.\.\.)?(?=`)")]
    private static partial Regex TestName();

    [GeneratedRegex("^(?:benchmark|docs/decisions)/")]
    private static partial Regex LinuxOnly();

    [GeneratedRegex("^(?=#+ )", RegexOptions.Multiline)]
    private static partial Regex Heading();

    // In an indented example: a variable before its command, a redirection to a descriptor, a loop, curl, a line that goes on in the next.
    [GeneratedRegex(@"^ {4,}(?:\$ )?(?:(?:[A-Z_]+=\S+ +[a-z./]|exec \d|for \w+ in |curl ).*|\S.* \\)$", RegexOptions.Multiline)]
    private static partial Regex BashOnly();

    [GeneratedRegex(@"\]\((?<path>[^)#\s]+)(?:#[^)]*)?\)")]
    private static partial Regex Link();
}
