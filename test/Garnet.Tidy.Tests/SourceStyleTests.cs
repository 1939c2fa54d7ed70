// Checks the C# sources against the project's conventions. Each test reads files only.
using System.Text.RegularExpressions;
using Xunit;

namespace Garnet.Tidy.Tests;

public sealed partial class SourceStyleTests
{
    private const int MaxLines = 900;
    private const int MaxColumns = 140;

    [Fact]
    public void Sources_are_found() => Assert.True(SourceTree.CSharpFiles("libs/").Count() > 10);

    [Fact]
    public void Every_file_opens_with_a_comment_that_says_its_job()
    {
        Offences.AssertNone(
            SourceTree
                .CSharpFiles()
                .Where(file => SourceTree.Lines(file).FirstOrDefault()?.StartsWith("// ", StringComparison.Ordinal) != true)
        );
    }

    [Fact]
    public void No_file_is_longer_than_900_lines()
    {
        Offences.AssertNone(
            SourceTree
                .CSharpFiles()
                .Select(file => (File: file, Lines: SourceTree.Lines(file).Length))
                .Where(each => each.Lines > MaxLines)
                .Select(each => $"{each.File}: {each.Lines} lines")
        );
    }

    [Fact]
    public void No_line_is_longer_than_140_columns_but_for_a_string_that_is()
    {
        Offences.AssertNone(
            SourceTree
                .CSharpFiles()
                .SelectMany(file =>
                    SourceTree
                        .Lines(file)
                        .Select((line, index) => (Line: line, Number: index + 1))
                        .Where(each => each.Line.Length > MaxColumns && !each.Line.Contains('"', StringComparison.Ordinal))
                        .Select(each => $"{file}:{each.Number}: {each.Line.Length} columns")
                )
        );
    }

    [Fact]
    public void Each_file_holds_one_type_named_like_the_file()
    {
        Offences.AssertNone(
            SourceTree
                .CSharpFiles()
                .Select(file => (File: file, Types: TopLevelTypes(file)))
                .Where(each => !IsNamedAfterItsType(each.File, each.Types))
                .Select(each => $"{each.File}: holds {(each.Types.Length == 0 ? "no type" : string.Join(", ", each.Types))}")
        );
    }

    [Fact]
    public void Random_tests_take_their_seed_from_TestSeed()
    {
        Offences.AssertNone(
            Occurrences(
                SourceTree.CSharpFiles("test/").Where(static file => !file.EndsWith("/TestSeed.cs", StringComparison.Ordinal)),
                OtherSeed()
            )
        );
    }

    [Fact]
    public void Types_are_named_after_their_mechanism()
    {
        Offences.AssertNone(
            SourceTree
                .CSharpFiles()
                .SelectMany(file =>
                    TypeDeclaration()
                        .Matches(SourceTree.Text(file))
                        .Select(match => match.Groups["name"].Value)
                        .Where(name => VagueSuffix().IsMatch(name))
                        .Select(name => $"{file}: {name}")
                )
        );
    }

    [Fact]
    public void No_code_is_compiled_conditionally()
    {
        Offences.AssertNone(Occurrences(SourceTree.CSharpFiles(), ConditionalCompilation()));
    }

    // Or where a long list is divided by subject into files named after the type and the subject: GarnetOptions.Memory.cs.
    [Fact]
    public void A_type_in_libs_is_partial_only_where_a_source_generator_completes_it()
    {
        Offences.AssertNone(
            Occurrences(
                SourceTree
                    .CSharpFiles("libs/", "src/")
                    .Where(file => !GeneratorAttribute().IsMatch(SourceTree.Text(file)) && !IsInParts(file)),
                PartialType()
            )
        );
    }

    [Fact]
    public void Unsafe_code_stays_in_Store_and_Network()
    {
        IEnumerable<string> elsewhere = SourceTree
            .CSharpFiles("libs/", "src/")
            .Where(file =>
                !file.StartsWith("libs/Garnet.Store/", StringComparison.Ordinal)
                && !file.StartsWith("libs/Garnet.Network/", StringComparison.Ordinal)
            );
        Offences.AssertNone(Occurrences(elsewhere, UnsafeKeyword()));
    }

    // The compiler asks for braces around several lines; nothing of its own finds those around one. A chain of if and else has them on all
    // branches or on none.
    [Fact]
    public void One_line_has_no_braces_around_it()
    {
        Offences.AssertNone(
            SourceTree
                .CSharpFiles()
                .SelectMany(file =>
                {
                    string text = SourceTree.Text(file);
                    return BracedLine()
                        .Matches(text)
                        .Select(match => $"{file}:{text.AsSpan(0, match.Index).Count('\n') + 1}: {match.Value.Split('\n')[0].Trim()}");
                })
        );
    }

    // A pointer is compared with ==, everything else by a pattern, which no operator of a type can change.
    [Fact]
    public void Null_is_tested_by_a_pattern_but_for_pointers()
    {
        Offences.AssertNone(
            Occurrences(SourceTree.CSharpFiles().Where(file => !UnsafeKeyword().IsMatch(SourceTree.Text(file))), NullOperator())
        );
    }

    private static bool IsNamedAfterItsType(string file, string[] types)
    {
        // A class in parts: GarnetOptions.Memory.cs.
        string name = Path.GetFileName(file).Split('.')[0];
        if (types.Length == 0)
            return name is "Program" or "GlobalUsings" or "AssemblyInfo";
        return types.Length == 1 && types[0] == name;
    }

    private static bool IsInParts(string file)
    {
        int folder = file.LastIndexOf('/') + 1;
        string type = file[..(file.IndexOf('.', folder) + 1)];
        return SourceTree.CSharpFiles("libs/").Count(each => each.StartsWith(type, StringComparison.Ordinal)) > 1;
    }

    // The formatter keeps nested types indented, so a declaration in the first column is a top-level one.
    private static string[] TopLevelTypes(string file) =>
        [.. TopLevelType().Matches(SourceTree.Text(file)).Select(match => match.Groups["name"].Value)];

    private static IEnumerable<string> Occurrences(IEnumerable<string> files, Regex pattern)
    {
        foreach (string file in files)
        {
            string[] lines = SourceTree.Lines(file);
            for (int i = 0; i < lines.Length; i++)
            {
                if (!lines[i].TrimStart().StartsWith("//", StringComparison.Ordinal) && pattern.IsMatch(lines[i]))
                    yield return $"{file}:{i + 1}: {lines[i].Trim()}";
            }
        }
    }

    [GeneratedRegex(@"Random\.Shared\.Next\(\)|seed = Environment\.TickCount")]
    private static partial Regex OtherSeed();

    [GeneratedRegex(
        @"^(?:(?:public|internal|file|static|sealed|abstract|readonly|ref|unsafe|partial) )*(?:class|struct|interface|enum|record struct|record class|record|delegate [\w<>\[\]?.]+) (?<name>\w+)",
        RegexOptions.Multiline
    )]
    private static partial Regex TopLevelType();

    [GeneratedRegex(
        @"^ *(?:(?:public|internal|private|protected|file|static|sealed|abstract|readonly|ref|unsafe|partial) )*(?:class|struct|interface|enum|record struct|record class|record) (?<name>\w+)",
        RegexOptions.Multiline
    )]
    private static partial Regex TypeDeclaration();

    [GeneratedRegex("(?:Helper|Helpers|Util|Utils|Utility|Utilities|Manager|Wrapper|Common)$")]
    private static partial Regex VagueSuffix();

    [GeneratedRegex(@"^\s*#\s*(?:if|elif|else)\b")]
    private static partial Regex ConditionalCompilation();

    [GeneratedRegex(@"\bpartial (?:class|struct|record|interface)\b")]
    private static partial Regex PartialType();

    [GeneratedRegex(@"\[(?:GeneratedRegex|LibraryImport|LoggerMessage)\b")]
    private static partial Regex GeneratorAttribute();

    [GeneratedRegex(
        @"^(?<in> *)(?:if|for|foreach|while|lock|using|fixed) \(.*\)\n\k<in>\{\n\k<in>    (?!//|if \(|#).*;\n\k<in>\}\n(?:\k<in>else if \(.*\)\n\k<in>\{\n\k<in>    (?!//|if \(|#).*;\n\k<in>\}\n)*(?:\k<in>else\n\k<in>\{\n\k<in>    (?!//|if \(|#).*;\n\k<in>\}\n)?(?!(?:\k<in>//.*\n)*\k<in>else)",
        RegexOptions.Multiline
    )]
    private static partial Regex BracedLine();

    [GeneratedRegex(@"[!=]= null\b")]
    private static partial Regex NullOperator();

    [GeneratedRegex(@"\bunsafe\b(?!"")")]
    private static partial Regex UnsafeKeyword();
}
