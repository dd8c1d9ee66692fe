// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

// A distributor of rewards with the functions of Merkl's Distributor that the service calls, for tests on a
// development chain. It is not audited and is no contract for production.

interface Token {
    function transfer(address to, uint256 value) external returns (bool);
}

/// Pays rewards out of its own tokens.
contract TestDistributor {
    struct Claim {
        uint208 amount;
        uint48 timestamp;
        bytes32 merkleRoot;
    }

    error InvalidProof();
    error NotWhitelisted();

    bytes32 public root;
    mapping(address => mapping(address => Claim)) public claimed;

    function setRoot(bytes32 value) external {
        root = value;
    }

    function claim(
        address[] calldata users,
        address[] calldata tokens,
        uint256[] calldata amounts,
        bytes32[][] calldata proofs
    ) external {
        for (uint256 i = 0; i < users.length; i++) {
            if (users[i] != msg.sender) revert NotWhitelisted();
            bytes32 node = keccak256(abi.encode(users[i], tokens[i], amounts[i]));
            for (uint256 j = 0; j < proofs[i].length; j++) {
                bytes32 other = proofs[i][j];
                node = node <= other
                    ? keccak256(abi.encode(node, other))
                    : keccak256(abi.encode(other, node));
            }
            if (node != root) revert InvalidProof();
            uint256 left = amounts[i] - claimed[users[i]][tokens[i]].amount;
            claimed[users[i]][tokens[i]] = Claim(uint208(amounts[i]), uint48(block.timestamp), root);
            Token(tokens[i]).transfer(users[i], left);
        }
    }
}
