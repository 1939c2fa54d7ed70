// Runs tests that change or read process-wide state sequentially.
using Xunit;

namespace Garnet.EndToEnd.Tests.Hosting;

[CollectionDefinition(Name)]
public sealed class WholeProcessCollection
{
    public const string Name = "whole process";
}
