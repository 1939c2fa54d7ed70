// The chi-square test of what random commands reply. Stateless.
using System.Globalization;
using Xunit;

namespace Garnet.Server.Tests.Commands;

/// <summary>Counts how often each element came, and judges whether that is chance.</summary>
internal static class Uniformity
{
    /// <summary>Counts the elements of a reply that are a letter and an index.</summary>
    public static void Count(int[] counts, string reply, char letter)
    {
        foreach (string line in reply.Split("\r\n"))
        {
            if (line.Length > 1 && line[0] == letter)
                counts[int.Parse(line.AsSpan(1), CultureInfo.InvariantCulture)]++;
        }
    }

    /// <summary>Chi-square with n-1 degrees of freedom is about normal with variance 2(n-1); six standard deviations above its mean come once in a thousand million runs.</summary>
    public static void AssertUniform(int[] counts, long draws)
    {
        Assert.Equal(draws, counts.Sum(count => (long)count));
        double expected = (double)draws / counts.Length;
        double square = counts.Sum(count => (count - expected) * (count - expected) / expected);
        double most = counts.Length - 1 + (6 * Math.Sqrt(2.0 * (counts.Length - 1))) + 12;
        Assert.True(square < most, $"chi-square {square} of {counts.Length} elements in {draws} draws: {string.Join(' ', counts.Take(100))}");
    }
}
