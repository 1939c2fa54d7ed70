// Random programs, sources and inputs of libraries, compared with a Valkey server. One state and one server for each test.
using System.Text;
using System.Text.RegularExpressions;
using Garnet.Testing;
using Xunit;
using Xunit.Abstractions;

namespace Garnet.Lua.Tests;

/// <summary>
/// Program n of seed s is program n - 1 of seed s + 1: GARNET_SEED and GARNET_FAULT_ROUNDS choose a range.
/// </summary>
public sealed partial class ValkeyComparisonTests(ITestOutputHelper output)
{
    private const int Usual = 1000;
    private const int Full = 1_000_000;
    private const int Batch = 100;
    private const int MaxReported = 40;
    private const int MaxShown = 2;

    [PeerFact("valkey-server", Optional = true)]
    public void Random_programs_return_what_they_return_in_Valkey() =>
        Compare(static random => Latin1(new ProgramGenerator(random, isForServer: true).Generate()));

    [PeerFact("valkey-server", Optional = true)]
    public void Damaged_sources_are_compiled_or_refused_as_in_Valkey()
    {
        byte[][] sources =
        [
            .. Directory.EnumerateFiles(Path.Combine(AppContext.BaseDirectory, "Cases"), "*.lua").Order().Select(File.ReadAllBytes),
        ];
        Compare(random =>
        {
            byte[] source = random.Next(2) == 0 ? sources[random.Next(sources.Length)] : Latin1(new ProgramGenerator(random).Generate());
            return Latin1($"local f, e = loadstring({Quote(Damage(source, random, 600))}, '=s') return e or type(f)");
        });
    }

    [PeerFact("valkey-server", Optional = true)]
    public void Damaged_inputs_of_libraries_give_what_they_give_in_Valkey() =>
        Compare(static random =>
        {
            (string function, string input) = LibraryInputs.All[random.Next(LibraryInputs.All.Length)];
            byte[] damaged = Damage(Encoding.Latin1.GetBytes(input), random, 100);
            return Latin1($"{LibraryInputs.Show} return show(0, pcall({function}, {Quote(damaged)}))");
        });

    private void Compare(Func<Random, byte[]> generate)
    {
        int seed = TestSeed.ChooseAnew(output);
        int count = FaultScale.Count(Usual, Full);
        using var valkey = new ValkeyScripts();
        var host = new ScriptHost();
        var differences = new StringBuilder();
        int different = 0;
        int failed = 0;
        for (int first = 0; first < count; first += Batch)
        {
            byte[][] scripts = [.. Enumerable.Range(first, Batch).Select(i => generate(new Random(unchecked(seed + i))))];
            string[] expected = valkey.Run(scripts);
            for (int i = 0; i < Batch; i++)
            {
                string actual = host.Run(scripts[i]);
                failed += expected[i].StartsWith('-') ? 1 : 0;
                if (Comparable(expected[i]) == Comparable(actual) || ++different > MaxReported)
                    continue;
                differences.Append($"seed {unchecked(seed + first + i)}: {FirstDifference(expected[i], actual)}\n");
                if (different <= MaxShown)
                    differences.Append(Text(scripts[i])).Append('\n');
            }
        }

        output.WriteLine($"{count} scripts, {failed} of them fail as a whole");
        Assert.True(different == 0, $"{different} of {count} differ\n{differences}");
        // What they compare is what scripts return.
        Assert.True(failed < count / 20, $"{failed} of {count} fail as a whole");
    }

    private static string FirstDifference(string expected, string actual)
    {
        string[] left = expected.Split('\n');
        string[] right = actual.Split('\n');
        int i = 0;
        while (i < Math.Min(left.Length, right.Length) && Comparable(left[i]) == Comparable(right[i]))
            i++;
        return $"line {i + 1}\nin Valkey: {left.ElementAtOrDefault(i)}\nhere:      {right.ElementAtOrDefault(i)}";
    }

    // Which operands of "and" and "or" have names in messages depends on how Lua's compiler orders its instructions.
    private static string Comparable(string text) => NamedOperand().Replace(text, "a ${type} value");

    private static byte[] Damage(byte[] source, Random random, int maxLength)
    {
        int start = source.Length <= maxLength ? 0 : random.Next(source.Length);
        byte[] damaged = source.AsSpan(start, random.Next(Math.Min(maxLength, source.Length - start)) + 1).ToArray();
        for (int change = random.Next(6); change > 0; change--)
            damaged[random.Next(damaged.Length)] = random.Next(3) == 0 ? (byte)random.Next(256) : source[random.Next(source.Length)];
        return damaged;
    }

    private static string Quote(byte[] bytes) => $"\"{string.Concat(bytes.Select(static each => $"\\{each:D3}"))}\"";

    private static byte[] Latin1(string text) => Encoding.Latin1.GetBytes(text);

    private static string Text(byte[] script) =>
        Escape().Replace(Encoding.Latin1.GetString(script), static code => ((char)int.Parse(code.ValueSpan[1..])).ToString());

    [GeneratedRegex(@"(?:local|global|field|upvalue) '[^']*' \(a (?<type>\w+) value\)")]
    private static partial Regex NamedOperand();

    [GeneratedRegex(@"\\\d{3}")]
    private static partial Regex Escape();
}
