// Every mistake that a module's signatures can have is reported at its place.
using System.Collections.Immutable;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Xunit;

namespace Garnet.Modules.Generator.Tests;

public sealed class MistakeTests
{
    private const string Start = """
        using System;
        using Garnet.Modules;
        [Module("name")]
        public class M : IModule
        {
            public void Load(IModuleHost host) { }

        """;

    [Fact]
    public void Correct_modules_have_no_mistakes()
    {
        ImmutableArray<Diagnostic> found = Run(
            Start
                + """
                [Command("A.B", CommandFlags.Write)]
                public static void A(ref ModuleContext c, [Key] ref HashKey k, ReadOnlySpan<byte> b, long l, int i, double d, [Option("X")] bool x = false) { }
                [Command("A.C", CommandFlags.ReadOnly, Calls = CommandCalls.OnItsKeys, Summary = "a \"quoted\" word")]
                internal void B(ref ModuleContext c, [Key] ReadOnlyString k, [Key] ArgumentList more) { }
                }
                """,
            out string code
        );
        Assert.Empty(found);
        Assert.Contains("Arity = -6,", code, StringComparison.Ordinal);
        Assert.Contains("_module.B(ref context, p0, p1);", code, StringComparison.Ordinal);
        Assert.Contains("global::M.A(ref context, ref p0, context[2], p2, p3, p4, p5);", code, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("GM003", "[Command(\"A\")] private static void A(ref ModuleContext c) { }")]
    [InlineData("GM003", "[Command(\"A\")] public static int A(ref ModuleContext c) => 1;")]
    [InlineData("GM003", "[Command(\"A\")] public static void A(ModuleContext c) { }")]
    [InlineData("GM003", "[Command(\"A\")] public static void A() { }")]
    [InlineData("GM004", "[Command(\"a\")] public static void A(ref ModuleContext c) { }")]
    [InlineData("GM004", "[Command(\"A B\")] public static void A(ref ModuleContext c) { }")]
    [InlineData("GM004", "[Command(\"A234567890123456789012345678901234\")] public static void A(ref ModuleContext c) { }")]
    [InlineData(
        "GM005",
        "[Command(\"A\")] public static void A(ref ModuleContext c) { } [Command(\"A\")] public static void B(ref ModuleContext c) { }"
    )]
    [InlineData("GM006", "[Command(\"A\")] public static void A(ref ModuleContext c, string s) { }")]
    [InlineData("GM006", "[Command(\"A\")] public static void A(ref ModuleContext c, ref long s) { }")]
    [InlineData("GM006", "[Command(\"A\")] public static void A(ref ModuleContext c, long s = 1) { }")]
    [InlineData("GM006", "[Command(\"A\", CommandFlags.Write)] public static void A(ref ModuleContext c, [Key] long s) { }")]
    [InlineData("GM007", "[Command(\"A\")] public static void A(ref ModuleContext c, ArgumentList a, long s) { }")]
    [InlineData(
        "GM007",
        "[Command(\"A\")] public static void A(ref ModuleContext c, [Option(\"X\")] long x = 1, ArgumentList a = default) { }"
    )]
    [InlineData("GM008", "[Command(\"A\")] public static void A(ref ModuleContext c, [Key] ref StringKey k) { }")]
    [InlineData(
        "GM008",
        "[Command(\"A\", CommandFlags.Write | CommandFlags.ReadOnly)] public static void A(ref ModuleContext c, [Key] ref StringKey k) { }"
    )]
    [InlineData("GM009", "[Command(\"A\")] public static void A(ref ModuleContext c, [Option(\"x\")] long x = 1) { }")]
    [InlineData("GM009", "[Command(\"A\")] public static void A(ref ModuleContext c, [Option(\"X\")] long x) { }")]
    [InlineData("GM009", "[Command(\"A\")] public static void A(ref ModuleContext c, [Option(\"X\")] string x = \"\") { }")]
    [InlineData(
        "GM009",
        "[Command(\"A\")] public static void A(ref ModuleContext c, [Option(\"X\")] long x = 1, [Option(\"X\")] long y = 1) { }"
    )]
    [InlineData("GM010", "[Command(\"A\", CommandFlags.Write)] public static void A(ref ModuleContext c, ref StringKey k) { }")]
    public void Mistakes_in_commands_are_reported(string id, string members)
    {
        ImmutableArray<Diagnostic> found = Run(Start + members + "}", out string code);
        Diagnostic mistake = Assert.Single(found);
        Assert.Equal(id, mistake.Id);
        Assert.True(mistake.Location.IsInSource);
        Assert.Equal("", code);
    }

    [Theory]
    [InlineData("GM001", "[Module(\"name\")] public class M { }")]
    [InlineData("GM001", "[Module(\"name\")] public abstract class M : IModule { public void Load(IModuleHost host) { } }")]
    [InlineData("GM001", "[Module(\"name\")] public class M : IModule { public M(int i) { } public void Load(IModuleHost host) { } }")]
    [InlineData("GM001", "public class O { [Module(\"name\")] public class M : IModule { public void Load(IModuleHost host) { } } }")]
    [InlineData("GM002", "[Module(\"\")] public class M : IModule { public void Load(IModuleHost host) { } }")]
    [InlineData("GM002", "[Module(\"a b\")] public class M : IModule { public void Load(IModuleHost host) { } }")]
    public void Mistakes_in_classes_are_reported(string id, string type) =>
        Assert.Equal(id, Assert.Single(Run("using Garnet.Modules; " + type, out string _)).Id);

    // Keys, replies and contexts are ref structs: the compiler refuses what would use them after their command.
    [Theory]
    [InlineData(
        "CS8345",
        "HashKey _kept; [Command(\"A\", CommandFlags.Write)] public void A(ref ModuleContext c, [Key] ref HashKey k) { }"
    )]
    [InlineData("CS8345", "ModuleContext _kept; [Command(\"A\")] public void A(ref ModuleContext c) { }")]
    [InlineData(
        "CS0029",
        "object _kept; [Command(\"A\", CommandFlags.Write)] public void A(ref ModuleContext c, [Key] ref HashKey k) => _kept = k;"
    )]
    [InlineData(
        "CS1628",
        "Func<bool> _kept; [Command(\"A\", CommandFlags.Write)] public void A(ref ModuleContext c, [Key] ref HashKey k) => _kept = () => k.Exists;"
    )]
    public void A_key_cannot_be_kept_after_its_command(string id, string members) =>
        Assert.Contains(
            NewCompilation(Start + members + "}").GetDiagnostics(),
            problem => problem.Id == id && problem.Severity == DiagnosticSeverity.Error
        );

    private static ImmutableArray<Diagnostic> Run(string source, out string code)
    {
        CSharpParseOptions options = new(LanguageVersion.Preview);
        GeneratorDriver driver = CSharpGeneratorDriver
            .Create([new ModuleGenerator().AsSourceGenerator()], parseOptions: options)
            .RunGenerators(NewCompilation(source));
        GeneratorDriverRunResult result = driver.GetRunResult();
        Assert.Null(result.Results.Single().Exception);
        code = string.Concat(result.GeneratedTrees);
        return result.Diagnostics;
    }

    private static CSharpCompilation NewCompilation(string source)
    {
        string runtime = Path.GetDirectoryName(typeof(object).Assembly.Location)!;
        CSharpParseOptions options = new(LanguageVersion.Preview);
        return CSharpCompilation.Create(
            "module",
            [CSharpSyntaxTree.ParseText(source, options)],
            [
                MetadataReference.CreateFromFile(typeof(object).Assembly.Location),
                MetadataReference.CreateFromFile(Path.Combine(runtime, "System.Runtime.dll")),
                MetadataReference.CreateFromFile(typeof(IModule).Assembly.Location),
            ],
            new CSharpCompilationOptions(OutputKind.DynamicallyLinkedLibrary)
        );
    }
}
